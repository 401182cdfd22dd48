import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { mock, test } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { Failure } from '../errors.ts';
import { ClientDisconnectedError, readBody } from './body.ts';
import { Budget } from './budget.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { limits } from './limits.ts';
import { RequestParameters } from './request-parameters.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const chunked = { ...form, 'transfer-encoding': 'chunked' };

/** A request whose body the test writes, and its reading. */
function reading(headers: Record<string, string>, changed: Partial<typeof limits> = {}, picture?: string) {
  const all = { ...limits, ...changed };
  const request = Object.assign(new PassThrough(), { headers, httpVersion: '1.1' });
  const parameters = new RequestParameters({ limits: all, uploads: new Budget(all.bodyBytesInFlight, 'bytes') });
  let paced = 0;
  const pacer = { pace: () => (paced++, request.resume()) };
  const done = readBody(request as unknown as IncomingMessage, parameters, { limits: all, pacer } as never, picture);
  const outcome = done.then(
    () => parameters.raw,
    (cause: unknown) => (cause instanceof Failure ? cause.error : cause),
  );
  return { request, outcome, parameters, paced: () => paced };
}

test('a request without a declared body is not waited for', async () => {
  for (const headers of [{}, { 'content-length': '0' }])
    assert.equal(typeof (await reading(headers).outcome), 'object');
});

test('a body may be as long as the limit, declared or not, and one byte more is refused', async () => {
  for (const [bytes, expected] of [
    [10, 'object'],
    [11, 'REQUEST_TOO_LARGE'],
  ] as const) {
    for (const headers of [{ ...form, 'content-length': String(bytes) }, chunked]) {
      const { request, outcome, paced } = reading(headers, { bodyBytes: 10 });
      request.end(`a=${'x'.repeat(bytes - 2)}`);
      const ended = await outcome;
      if (bytes === 10) assert.equal(paced(), 1);
      assert.equal(typeof ended === 'object' ? 'object' : ended, expected);
    }
  }
});

test('compressed bodies, other transfer codings, other types and chunks of HTTP/1.0 are refused', async () => {
  for (const headers of [
    { ...chunked, 'content-encoding': 'gzip' },
    { ...form, 'transfer-encoding': 'gzip, chunked' },
    { 'content-type': 'text/plain', 'content-length': '3' },
    { 'content-type': 'image/png', 'content-length': '3' },
    { 'content-length': '3' },
  ]) {
    const { request, outcome } = reading(headers);
    request.end('a=b');
    assert.equal(await outcome, 'MALFORMED_REQUEST', JSON.stringify(headers));
  }
  const sent = reading({ 'content-type': 'image/png', 'content-length': '3' }, {}, 'image_content');
  sent.request.end('a=b');
  await sent.outcome;
  assert.deepEqual(sent.parameters.raw.file('image_content'), Buffer.from('a=b'));
});

test('a refusal of a body names the type, and says where there is none', async () => {
  for (const [type, said] of [
    [{ 'content-type': 'text/plain' }, /got text\/plain$/],
    [{}, /got none$/],
  ] as const) {
    const request = Object.assign(new PassThrough(), {
      ...{ headers: { 'content-length': '3', ...type }, httpVersion: '1.1' },
    });
    const parameters = new RequestParameters({ limits, uploads: new Budget(99, 'bytes') });
    const pacer = { pace: () => request.resume() };
    request.end('a=b');
    const read = readBody(request as unknown as IncomingMessage, parameters, { limits, pacer } as never);
    await assert.rejects(read, (cause) => cause instanceof Failure && said.test(cause.message));
  }
});

test('each window needs its bytes; a client that leaves ends the reading', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const slow = reading(chunked, { slowWindow: 1_000, slowBytes: 4 });
    for (let window = 0; window < 3; window++) {
      slow.request.write('a=b&');
      await nextLoop();
      mock.timers.tick(1_000);
      await nextLoop();
    }
    slow.request.write('a=b');
    await nextLoop();
    mock.timers.tick(1_000);
    assert.equal(await slow.outcome, 'REQUEST_TIMEOUT');

    const first = reading(chunked, { slowWindow: 1_000, slowBytes: 4 });
    first.request.write('a=b');
    await nextLoop();
    mock.timers.tick(1_000);
    assert.equal(await first.outcome, 'REQUEST_TIMEOUT');

    const left = reading(chunked);
    left.request.write('a=b');
    left.request.destroy();
    assert.ok((await left.outcome) instanceof ClientDisconnectedError);
  } finally {
    mock.timers.reset();
  }
});

test('no timer outlives the body', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (const body of ['a=b', 'a=%']) {
    const { request, outcome } = reading(chunked);
    assert.equal(timers(), before + 1);
    request.end(body);
    await outcome;
    assert.equal(timers(), before);
  }
});

test('of a body that was refused or has ended nothing more is read', async () => {
  for (const [body, expected] of [
    ['a=%zz&', 'BAD_TEXT'],
    [`a=${'x'.repeat(5_000)}&a=%&`, 'BAD_TEXT'],
  ] as const) {
    const { request, outcome, parameters } = reading(chunked);
    request.write(body.padEnd(5_000, 'y'));
    assert.equal(await outcome, expected);
    const { length } = parameters.body;
    request.write('more');
    await nextLoop();
    assert.equal(parameters.body.length, length);
  }
});

test('a body of no bytes is an empty picture where its type is that of one, and the operation takes one', async () => {
  for (const [headers, picture, isThere] of [
    [{ 'content-type': 'image/png' }, 'p', true],
    [{ 'content-type': 'application/octet-stream', 'content-length': '0' }, 'p', true],
    [{ 'content-type': 'image/png' }, undefined, false],
    [{}, 'p', false],
    [form, 'p', false],
  ] as const) {
    const raw = (await reading(headers, {}, picture).outcome) as RawParameters;
    assert.equal(raw.hasEmptyFile('p'), isThere, JSON.stringify([headers, picture]));
  }
});

test('a body of the type of a picture is one, whole', async () => {
  for (const type of ['image/png', 'IMAGE/jpeg', 'application/octet-stream; a=b']) {
    const { request, outcome } = reading({ 'content-type': type, 'content-length': '9' }, {}, 'p');
    request.write('pic');
    await nextLoop();
    request.end('ture..');
    assert.equal(Buffer.from(((await outcome) as RawParameters).file('p')!).toString(), 'picture..');
  }
});
