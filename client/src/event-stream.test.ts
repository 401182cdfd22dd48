import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { streamedEvents } from './event-stream.ts';
import { collected } from './service.test.kit.ts';

const connection = { modify: 'http://modify', query: 'http://query', key: 'k' };
const realFetch = globalThis.fetch;
afterEach(() => void (globalThis.fetch = realFetch));

const event = (id: number): string => `id: ${id}\ndata: {"id":${id}}\n\n`;
let cancelled: boolean;
/** The next request gets these pieces; then the stream ends, fails, or stays open. */
function streaming(pieces: readonly (string | Uint8Array)[], then: 'end' | 'fail' | 'stay'): void {
  cancelled = false;
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      else if (then === 'end') controller.close();
      else if (then === 'fail') controller.error(new TypeError('the connection was lost'));
    },
    cancel: () => void (cancelled = true),
  });
  globalThis.fetch = async () => new Response(body);
}
const ids = async (signal?: AbortSignal): Promise<number[]> =>
  (await collected(streamedEvents({ ...connection, ...(signal && { signal }) }, 0))).map(({ id }) => id);

test('events come as they are sent, without comments, until the stream ends or its connection is lost', async () => {
  for (const then of ['end', 'fail'] as const) {
    streaming([event(1), `:\n\n${event(2)}id: 3\nda`, 'ta: {"id":3}\n', '\n:\n\n'], then);
    assert.deepEqual(await ids(), [1, 2, 3], then);
  }
  const text = new TextEncoder().encode('data: {"id":4,"search_id":"ä"}\n\n');
  streaming([text.subarray(0, 28), text.subarray(28)], 'end');
  const [shown] = await collected(streamedEvents(connection, 0));
  assert.equal(shown!.search_id, 'ä');
});

test('there are none where the stream cannot be opened or has no body', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('no server'));
  assert.deepEqual(await ids(), []);
  globalThis.fetch = async () => new Response(null, { status: 204 });
  assert.deepEqual(await ids(), []);
});

test('a signal ends the stream with its reason, before it opens and while it is read', async () => {
  const end = new AbortController();
  globalThis.fetch = () => Promise.reject(end.signal.reason as Error);
  end.abort(new Error('enough'));
  await assert.rejects(ids(end.signal), /enough/);
  const later = new AbortController();
  streaming([event(1)], 'fail');
  const { fetch } = globalThis;
  globalThis.fetch = async (...of) => {
    const response = await fetch(...of);
    later.abort(new Error('later'));
    return response;
  };
  await assert.rejects(ids(later.signal), /the connection was lost/);
});

test('a stream that is left is cancelled', async () => {
  streaming([event(1), event(2)], 'stay');
  for await (const { id } of streamedEvents(connection, 0)) if (id === 2) break;
  assert.equal(cancelled, true);
});
