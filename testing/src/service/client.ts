import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { Load, LoadResult } from './load.ts';
import { BOUNDARY, multipart } from './multipart.ts';

/** One request, ready to be sent. */
interface Prepared {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: Buffer | null;
}

const RETRY_MS = 50;
const agent = new Agent({ keepAlive: true });

const [load] = (await once(process, 'message')) as [Load];
process.send!(await run(load), () => process.disconnect());
agent.destroy();

async function run(load: Load): Promise<LoadResult> {
  const prepared = Array.from({ length: load.requests }, preparer(load));
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  let busy = 0;
  let next = 0;
  const client = async () => {
    for (let i = next++; i < prepared.length; i = next++) {
      const begin = performance.now();
      let outcome = await outcomeOf(prepared[i]!);
      for (; outcome === 'busy'; outcome = await outcomeOf(prepared[i]!)) {
        busy++;
        await setTimeout(RETRY_MS);
      }
      if (outcome === 'done') latencies.push(performance.now() - begin);
      else failures[outcome] = (failures[outcome] ?? 0) + 1;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: load.clients }, client));
  return { seconds: (performance.now() - start) / 1000, latencies, busy, failures };
}

function preparer({ kind, modify, query, key, files, ids }: Load): (_: unknown, i: number) => Prepared {
  const contents = files.map((file) => readFileSync(file));
  const id = (i: number) => `image_id=${encodeURIComponent(ids[i % ids.length]!)}`;
  const post = (url: string, field: string, i: number): Prepared => ({
    method: 'POST',
    url,
    body: multipart(field, contents[i % contents.length]!),
  });
  const modifying = `${modify}/api/v2.0/enginemodify/json`;
  const asking = `${query}/api/v2.0/enginequery/json`;
  const by = `application_key=${key}`;
  switch (kind) {
    case 'add picture':
      return (_, i) => post(`${modifying}/AddImage?${by}&${id(i)}`, 'image_content', i);
    case 'add DNA':
      return (_, i) => post(`${modifying}/AddImage?${by}&${id(i)}`, 'dna', i);
    case 'search by picture':
      return (_, i) => post(`${asking}/SearchImageByUpload?${by}`, 'image_content', i);
    case 'search by DNA':
      return (_, i) => post(`${asking}/SearchImageByDna?${by}`, 'dna', i);
    case 'search by id':
      return (_, i) => ({ method: 'GET', url: `${asking}/SearchImageById?${by}&${id(i)}`, body: null });
  }
}

/** `done` for code 0, `busy` for HTTP 503, else what went wrong. */
async function outcomeOf(prepared: Prepared): Promise<string> {
  try {
    const { statusCode, body } = await answerTo(prepared);
    const { code } = (JSON.parse(body.toString()) as { status: { code: number } }).status;
    if (statusCode === 503) return 'busy';
    return code === 0 ? 'done' : `HTTP ${statusCode}, code ${code}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? error);
  }
}

function answerTo({ method, url, body }: Prepared): Promise<{ statusCode: number | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = body && {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': body.length,
    };
    const sent = request(url, { method, agent, headers: headers ?? {} }, (answer) => {
      buffer(answer).then((content) => resolve({ statusCode: answer.statusCode, body: content }), reject);
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
