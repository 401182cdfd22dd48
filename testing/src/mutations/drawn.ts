import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { oneOf, randomFor, shuffled } from '../pictures/random.ts';
import { placesFinder, type Change } from './places.ts';

/** A change of one place, drawn by chance. */
export interface DrawnChange extends Change {
  /** From the root of the repository. */
  readonly file: string;
  /** Counted from 1; `lastLine` is that of the last character that is replaced. */
  readonly line: number;
  readonly lastLine: number;
  /** The lines before and after the change, each run of spaces one space. */
  readonly before: string;
  readonly after: string;
}

/** Why a mutation that no test notices may stay so. */
export interface Accepted {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Nothing that the code does can differ: the mutation is not counted. Otherwise it counts as a survivor. */
  readonly equivalent: boolean;
  readonly reason: string;
}

/** The lines of the folders in an order by chance, of each line one change. */
export function drawnChanges(root: string, folders: readonly string[], seed: string): DrawnChange[] {
  const random = randomFor('random mutations', seed);
  const find = placesFinder(root);
  const lines = folders.flatMap((folder) => sourcesIn(root, folder)).flatMap((file) => byLine(root, file, find));
  return shuffled(random, lines).map((changes) => oneOf(random, changes));
}

/** @throws Error for a row without a reason */
export function readAccepted(file: string): Accepted[] {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Accepted[];
  for (const row of rows) {
    const texts = [row.file, row.before, row.after, row.reason];
    if (typeof row.equivalent === 'boolean' && texts.every((text) => typeof text === 'string' && text !== '')) continue;
    throw new Error(`${file}: expected file, before, after, equivalent and reason, got ${JSON.stringify(row)}`);
  }
  return rows;
}

/** Whether the text of the row is still in its file. */
export function isCurrent(root: string, { file, before }: Accepted): boolean {
  const path = join(root, file);
  return existsSync(path) && oneSpaced(readFileSync(path, 'utf8')).includes(before);
}

/** Without tests, and without what is generated. */
function sourcesIn(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
  return names
    .filter((name) => name.endsWith('.ts') && !/\.(?:test\b.*|generated)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);
}

function byLine(root: string, file: string, find: (text: string) => Change[]): DrawnChange[][] {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = new Map<number, DrawnChange[]>();
  for (const change of find(text)) {
    const drawn = { ...change, file, ...placeOf(text, change) };
    lines.set(drawn.line, [...(lines.get(drawn.line) ?? []), drawn]);
  }
  return [...lines.values()];
}

function placeOf(
  text: string,
  { start, end, to }: Change,
): Pick<DrawnChange, 'line' | 'lastLine' | 'before' | 'after'> {
  const line = text.slice(0, start).split('\n').length;
  const lastLine = text.slice(0, end).split('\n').length;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const until = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  const before = oneSpaced(text.slice(from, until));
  return { line, lastLine, before, after: oneSpaced(text.slice(from, start) + to + text.slice(end, until)) };
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
