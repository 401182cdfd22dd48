import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenFolder } from '@sosia/fixtures';
import fc from 'fast-check';
import type { TSchema } from '#typebox';
import { faultsOf, faultsOfAnswer, resultInfosIn } from './faults.test.kit.ts';
import type { Envelope } from './faults.test.kit.ts';
import type { Family, Operation } from './index.ts';
import { operations, resultInfos, succeeded } from './index.ts';

interface Recorded {
  readonly request: string;
  readonly answer: Envelope;
}

type ApplicationType = keyof typeof resultInfos;
const types = Object.keys(resultInfos) as ApplicationType[];
const all: readonly Operation[] = Object.values(operations);

/** The answers that the service gave to the same requests on every application type. */
function recorded(type: ApplicationType): Recorded[] {
  const text = readFileSync(join(goldenFolder, 'answers', `${type}.json`), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, string>).map(([request, body]) => ({
    request,
    answer: JSON.parse(body) as Envelope,
  }));
}

function nameOf({ request }: Recorded): string {
  return request.split(' ')[0]!;
}

/** GetApplicationStatus has one name in both families. */
function familyOf({ request, answer }: Recorded): Family {
  if (request.startsWith('GetApplicationStatus')) return 'nb_loaded_images' in answer ? 'enginequery' : 'enginemodify';
  return all.find(({ name }) => name === nameOf({ request, answer }))!.families[0]!;
}

function schemaOf(each: Recorded): TSchema {
  const [family, itsName] = [familyOf(each), nameOf(each)];
  const { success, answer } = all.find(({ name, families }) => name === itsName && families.includes(family))!;
  return succeeded(success, answer);
}

for (const type of types) {
  test(`${type}: every recorded answer is what the contract says`, () => {
    const answers = recorded(type);
    assert.ok(answers.length > 50);
    for (const each of answers) {
      assert.deepEqual(faultsOfAnswer(familyOf(each), nameOf(each), each.answer), [], each.request);
    }
  });

  test(`${type}: every recorded result_info is what the contract says`, () => {
    const texts = recorded(type).flatMap(({ answer }) => resultInfosIn(answer));
    const schema = resultInfos[type];
    const filled = texts.filter((text) => text !== '');
    assert.equal(filled.length > 0, schema !== null);
    for (const text of filled) assert.deepEqual(faultsOf(schema!, JSON.parse(text)), [], text);
  });
}

/** Fields that some answers lack, and the profiles of the application, which have any names. */
const optional = new Set([
  'grade',
  'reasons',
  'explanation',
  'why_not',
  'instances',
  'agreeingShare',
  'relation',
  'photograph',
  'document',
  'metadata',
]);

type Path = readonly string[];

/** The way to every field of a value, those of objects in lists too. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (path.at(-1) === 'metadata') return [path]; // any fields
  const inner = Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]));
  return path.length > 0 ? [path, ...inner] : inner;
}

type Fault = 'missing' | 'extra' | 'wrong';

/** A copy with one fault. Undefined where the fault would be none. */
function broken(value: object, path: Path, fault: Fault): object | undefined {
  const copy = structuredClone(value);
  let owner = copy as Record<string, unknown>;
  for (const name of path.slice(0, -1)) owner = owner[name] as Record<string, unknown>;
  const last = path.at(-1)!;
  if (fault === 'wrong') owner[last] = typeof owner[last] === 'number' ? 'x' : 7;
  else if (Array.isArray(owner)) return undefined;
  else if (fault === 'extra') owner['unheard of'] = null;
  else if (optional.has(last)) return undefined;
  else delete owner[last];
  return copy;
}

test('an answer or a result_info with a missing, an additional or a wrong field is refused', () => {
  const answers = types.flatMap((type) =>
    recorded(type)
      .filter(({ answer }) => answer.status.code === 0)
      .flatMap((each) => [
        { schema: schemaOf(each), value: each.answer as object },
        ...resultInfosIn(each.answer)
          .filter((text) => text !== '')
          .map((text) => ({ schema: resultInfos[type]!, value: JSON.parse(text) })),
      ]),
  );
  const faults = fc.constantFrom<Fault>('missing', 'extra', 'wrong');
  fc.assert(
    fc.property(fc.constantFrom(...answers), fc.nat(), faults, ({ schema, value }, at, fault) => {
      const paths = pathsIn(value);
      const path = paths[at % paths.length]!;
      const faulty = broken(value, path, fault);
      fc.pre(faulty !== undefined);
      assert.notDeepEqual(faultsOf(schema, faulty), [], `${fault} ${path.join('.')}`);
    }),
    { numRuns: 500 },
  );
});
