import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administration, operations } from '@sosia/contract';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { warningsOn } from './unknown-parameters.ts';

const warnings = (...names: string[]): string[] => {
  const raw = new RawParameters();
  for (const name of names) raw.addText(name, 'x', 'body');
  return warningsOn(raw, operations.listImages);
};

test('a parameter that no operation has is warned of, with what was meant where a name is close', () => {
  assert.deepEqual(warnings('nb_result', 'some+thing', 'x'.repeat(64)), [
    'unknown parameter nb_result is ignored; did you mean nb_results?',
    'unknown parameter "some+thing" is ignored',
    `unknown parameter ${'x'.repeat(64)} is ignored`,
  ]);
  assert.match(warnings('x'.repeat(65))[0]!, /parameter "x+/);
});

test('what another operation has is sent to all by some clients, and is no reason to warn', () => {
  const known = [operations.searchImageByUpload, administration.createApplication].flatMap(({ parameters }) =>
    Object.keys(parameters.properties),
  );
  assert.deepEqual(warnings('application_key', ...known), []);
});

test('an answer lists ten warnings at most', () => {
  const names = Array.from({ length: 12 }, (_, i) => `unknown_${i}`);
  assert.equal(warnings(...names.slice(0, 9)).length, 9);
  assert.deepEqual(
    warnings(...names),
    names.slice(0, 10).map((name) => `unknown parameter ${name} is ignored`),
  );
});
