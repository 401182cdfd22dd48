import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { test } from 'node:test';

/** The steps of an uploaded picture in order, each with its function and the end of the path of its script. */
const steps: Record<string, readonly [script: string, name: string]> = {
  'the address becomes the one that routes have': ['server/dist/http/paths.js', 'canonicalPath'],
  'the route is looked up': ['find-my-way/index.js', 'lookup'],
  'the query string is read': ['server/dist/http/request-parameters.js', 'readQuery'],
  'the key is looked up': ['server/dist/applications/keys.js', 'digestOf'],
  'the body is read': ['server/dist/http/body.js', 'readBody'],
  'the parameters are checked': ['server/dist/parameters/parameters.js', 'readAll'],
  'the picture is described': ['server/dist/decode/decoder.js', 'describe'],
  'the shards are searched': ['server/dist/shards/shards.js', 'search'],
  'the page is made': ['server/dist/operations/search.js', 'wirePage'],
  'the envelope is made': ['server/dist/http/envelope.js', 'success'],
  'the answer becomes text': ['server/dist/http/envelope.js', 'asciiJson'],
  'the answer is counted and logged': ['server/dist/http/answering.js', 'record'],
};

test('an uploaded picture passes each step of the request path once', async () => {
  const counters = new CallCounters(); // before the service is loaded: functions count from their compilation on
  const { formOf, photograph, startService } = await import('../service.test.kit.ts');
  const service = await startService();
  try {
    const key = service.application('media-matching');
    const picture = await photograph(1);
    await service.modify('AddImage', { application_key: key, image_id: 'known.jpg', image_content: picture });

    const url = `http://127.0.0.1:${service.queryPort}/v2//ltuquery/SearchImageByUpload?nb_results=5`;
    const body = formOf({ application_key: key, image_content: picture });
    counters.reset();
    const answer = (await (await fetch(url, { method: 'POST', body })).json()) as any;
    const calls = counters.take();
    assert.equal(answer.images[0].id, 'known.jpg');

    const counts = Object.entries(steps).map(([step, [script, name]]) => [step, calls(script, name)]);
    const expected = Object.keys(steps).map((step) => [step, 1]);
    assert.deepEqual(counts, expected);
  } finally {
    await service.close();
    counters.close();
  }
});

/** The number of calls of each function of this thread, as V8 counts them. */
class CallCounters {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  reset(): void {
    this.take();
  }

  /** The counts since the last call. */
  take(): (script: string, name: string) => number {
    const { result } = this.#post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
    return (script, name) =>
      result
        .filter(({ url }) => url.endsWith(script))
        .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
        .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  }

  close(): void {
    this.#session.disconnect();
  }

  #post<T>(method: string, params: object = {}): T {
    let answer: T;
    this.#session.post(method, params, (error, result) => {
      if (error) throw error;
      answer = result as T;
    });
    return answer!;
  }
}
