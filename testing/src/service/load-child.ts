import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia, SosiaError } from '@sosia/client';
import type { Load, LoadResult } from './load.ts';

const RETRY_MS = 50;

const [load] = (await once(process, 'message')) as [Load];
process.send!(await run(load), () => process.exit());

async function run(load: Load): Promise<LoadResult> {
  const send = sender(load);
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
    const outcome = await outcomeOf(send(i), load.mustFind);
    const ms = performance.now() - due;
    if (outcome === 'done') latencies.push(ms);
    else if (outcome === 'refused') refusals.push(ms);
    else failures[outcome] = (failures[outcome] ?? 0) + 1;
    return outcome;
  }
}

function sender({ kind, modify, query, key, files, ids = [] }: Load): (i: number) => Promise<object> {
  const sosia = new Sosia({ modify, query, key, patience: { retries: 0, firstWait: 0 } });
  const contents = files.map((file) => readFileSync(file));
  const content = (i: number) => contents[i % contents.length]!;
  const image_id = (i: number) => ids[i % ids.length]!;
  switch (kind) {
    case 'add picture':
      return (i) => sosia.ask('modify', 'AddImage', { image_id: image_id(i), image_content: content(i) });
    case 'add DNA':
      return (i) => sosia.ask('modify', 'AddImage', { image_id: image_id(i), dna: content(i) });
    case 'search by picture':
      return (i) => sosia.ask('query', 'SearchImageByUpload', { image_content: content(i) });
    case 'search by DNA':
      return (i) => sosia.ask('query', 'SearchImageByDna', { dna: content(i) });
    case 'search by id':
      return (i) => sosia.ask('query', 'SearchImageById', { image_id: image_id(i) });
  }
}

/** `done` for code 0, `refused` for HTTP 503, else what went wrong. */
async function outcomeOf(request: Promise<object>, mustFind = false): Promise<string> {
  try {
    const answer = await request;
    return mustFind && (answer as { nb_results_found: number }).nb_results_found === 0 ? 'nothing found' : 'done';
  } catch (cause) {
    if (!(cause instanceof SosiaError)) return (cause as Error).message;
    return cause.http === 503 ? 'refused' : `HTTP ${cause.http}, code ${cause.code}`;
  }
}
