import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A change that removes one guard from the code, and the tests that must fail because of this change. */
export interface Mutation {
  /** What the broken build does, in a few words; no two mutations share a name. */
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Each of them must fail: `test server/http/body`, `system-test kill`. */
  readonly fails: readonly string[];
}

/** A mutation with the area it belongs to: the name of its file in testing/mutations/. */
export interface MutationOfArea extends Mutation {
  readonly area: string;
}

const FIELDS = { name: isText, file: isText, from: isText, to: (it: unknown) => typeof it === 'string', fails: isList };

/** @throws Error for a row that is not a mutation, or a name that occurs twice */
export function readMutations(folder: string): MutationOfArea[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const mutations = names.flatMap((name) => {
    const rows = JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
    if (!Array.isArray(rows)) throw new Error(`${name}: expected a list of mutations`);
    return rows.map((row) => ({ ...checked(row, name), area: basename(name, '.json') }));
  });
  const twice = mutations.find(({ name }, i) => mutations.findIndex((other) => other.name === name) < i);
  if (twice) throw new Error(`${twice.area}.json: the name "${twice.name}" occurs twice`);
  return mutations;
}

/** @returns null where `from` does not occur exactly once: the row is stale */
export function mutated(text: string, { from, to }: Mutation): string | null {
  const [before, after, ...further] = text.split(from);
  return after === undefined || further.length > 0 ? null : before + to + after;
}

function checked(row: unknown, where: string): Mutation {
  const fields = (row ?? {}) as Record<string, unknown>;
  for (const [field, fits] of Object.entries(FIELDS)) {
    if (!fits(fields[field])) {
      throw new Error(`${where}: expected a ${field}, got ${JSON.stringify(fields[field])} in ${JSON.stringify(row)}`);
    }
  }
  return row as Mutation;
}

function isText(it: unknown): boolean {
  return typeof it === 'string' && it !== '';
}

function isList(it: unknown): boolean {
  return Array.isArray(it) && it.length > 0 && it.every((word) => /^[\w-]+ \S/.test(String(word)));
}
