import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { errors, fail } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { asFailure, failure } from './envelope.ts';

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

test('by real statuses a client repeats what the service or its cluster could not do, and nothing that it sent wrongly', () => {
  const ofTheService = /^(?:STORE_|CLUSTER_|INTERNAL|DECODER_CRASHED|NETWORK_FAILED|OVERLOADED|SHUTTING_DOWN|LOADING)/;
  for (const error of Object.keys(errors) as ErrorName[]) {
    const { http, headers } = failure(fail(error), {}, true);
    assert.ok(STATUS_CODES[http], `${error} ${http}`);
    assert.equal(Math.floor(http / 100), ofTheService.test(error) ? 5 : 4, `${error} ${http}`);
    assert.equal(headers['retry-after'], http === 503 ? '1' : undefined, error);
    assert.equal(headers['preference-applied'], 'http-status');
    if (error.startsWith('UNKNOWN_') && error !== 'UNKNOWN_APPLICATION') assert.equal(http, 404, error);
  }
});

test('a failure of an operation is HTTP 200, unless the client wants the real status', () => {
  const { http, headers } = failure(fail('IMAGE_EXISTS'));
  assert.deepEqual([http, headers['preference-applied']], [200, undefined]);
});

test('a refusal to wait says when to come again and closes its connection, and so does one that has not read the request', () => {
  for (const error of Object.keys(errors) as ErrorName[]) {
    for (const plain of [false, true]) {
      const { http, headers } = failure(fail(error), {}, plain);
      const closes = http === 408 || http === 431 || http === 503;
      assert.equal(headers['connection'], closes ? 'close' : undefined, error);
      assert.equal(headers['retry-after'], http === 503 ? '1' : undefined, error);
      assert.equal(headers['allow'], http === 405 ? 'GET, POST' : undefined, error);
    }
  }
  const statuses = (['REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'OVERLOADED', 'METHOD_NOT_ALLOWED'] as const).map(
    (error) => failure(fail(error)).http,
  );
  assert.deepEqual(statuses, [408, 431, 503, 405]);
});
