import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, fail } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { asFailure } from './envelope.ts';

test('no answer has what a cluster says of itself; the log has it', () => {
  for (const error of Object.keys(errors) as ErrorName[]) {
    if (!error.startsWith('CLUSTER_')) continue;
    const lines: object[] = [];
    const log = { error: () => assert.fail(), warn: (fields: object) => void lines.push(fields) };
    const { code, message } = asFailure(fail(error, 'node-7.internal:9200 [sosia-3]'), log);
    assert.equal(code, errors[error].code);
    assert.doesNotMatch(message, /internal|sosia-3/);
    assert.deepEqual(lines, [{ code, detail: 'node-7.internal:9200 [sosia-3]' }]);
  }
});
