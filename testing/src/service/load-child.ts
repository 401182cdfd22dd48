import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { formOf } from '@sosia/client/form';
import type { Load, LoadResult } from './load.ts';

const RETRY_MS = 50;
const agent = new Agent({ keepAlive: true });

const [load] = (await once(process, 'message')) as [Load];
process.send!(await run(load), () => process.exit());

async function run(load: Load): Promise<LoadResult> {
  const send = await sender(load);
  const latencies: number[] = [];
  const refusals: number[] = [];
  const failures: Record<string, number> = {};
  const begin = performance.now();
  const sent = 'clients' in load ? await closedLoop(load) : await openLoop(load);
  return { sent, seconds: (performance.now() - begin) / 1000, latencies, refusals, failures };

  async function closedLoop({ clients, requests }: Load & { clients: number; requests: number }): Promise<number> {
    let next = 0;
    const client = async (): Promise<void> => {
      for (let i = next++; i < requests; i = next++) {
        const due = performance.now();
        while ((await one(i, due)) === 'refused') await pause(RETRY_MS);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return requests;
  }

  async function openLoop({ rate, seconds }: Load & { rate: number; seconds: number }): Promise<number> {
    const count = Math.round(rate * seconds);
    const pending: Promise<unknown>[] = [];
    for (let i = 0; i < count; i++) {
      const due = begin + (i * 1000) / rate;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      pending.push(one(i, due));
    }
    await Promise.all(pending);
    return count;
  }

  async function one(i: number, due: number): Promise<string> {
    const outcome = await send(i);
    const ms = performance.now() - due;
    if (outcome === 'done') latencies.push(ms);
    else if (outcome === 'refused') refusals.push(ms);
    else failures[outcome] = (failures[outcome] ?? 0) + 1;
    return outcome;
  }
}

/**
 * Sends prepared requests and resolves with the outcome: `done` for code 0, `refused` for HTTP 503, else what went wrong. The
 * bodies are made once and sent without `fetch`, which takes as much of the processor as the service does.
 */
async function sender({ kind, modify, query, key, files, ids = [], mustFind }: Load) {
  const [family, operation, field] = {
    'add picture': ['modify', 'AddImage', 'image_content'],
    'add DNA': ['modify', 'AddImage', 'dna'],
    'search by picture': ['query', 'SearchImageByUpload', 'image_content'],
    'search by DNA': ['query', 'SearchImageByDna', 'dna'],
    'search by id': ['query', 'SearchImageById', null],
  }[kind] as [string, string, string | null];
  const takesId = kind.startsWith('add') || kind === 'search by id';
  const contents = field === null ? [{}] : files.map((file) => ({ [field]: readFileSync(file) }));
  const bodies = await Promise.all(contents.map(encoded));
  const base = `${family === 'modify' ? modify : query}/api/v2.0/engine${family}/json/${operation}?application_key=${key}`;

  return async (i: number): Promise<string> => {
    const id = takesId ? `&image_id=${encodeURIComponent(ids[i % ids.length]!)}` : '';
    try {
      const { http, answer } = await post(base + id, bodies[i % bodies.length]!);
      if (http === 503) return 'refused';
      if (answer.status.code !== 0) return `HTTP ${http}, code ${answer.status.code}`;
      return mustFind && answer.nb_results_found === 0 ? 'nothing found' : 'done';
    } catch (cause) {
      return (cause as Error).message;
    }
  };
}

interface Encoded {
  readonly type: string;
  readonly bytes: Uint8Array;
}

async function encoded(values: Parameters<typeof formOf>[0]): Promise<Encoded> {
  const form = new Response(formOf(values));
  return { type: form.headers.get('content-type')!, bytes: new Uint8Array(await form.arrayBuffer()) };
}

interface Answer {
  readonly status: { readonly code: number };
  readonly nb_results_found?: number;
}

function post(url: string, { type, bytes }: Encoded): Promise<{ http: number; answer: Answer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': type, 'Content-Length': bytes.length };
    const sent = request(url, { method: 'POST', agent, headers }, (message) => {
      json(message).then((answer) => resolve({ http: message.statusCode!, answer: answer as Answer }), reject);
    });
    sent.on('error', reject).end(bytes);
  });
}
