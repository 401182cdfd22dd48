import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ApplicationType, Side } from '@sosia/engine';

export interface DescribeJob {
  readonly path: string;
  readonly type: ApplicationType;
  readonly side: Side;
  /** Which variation of the picture to describe, as `varied` makes it; the picture as it is when left out. */
  readonly variation?: number;
}

export interface Described {
  /** null for a picture that holds too little to be described. */
  readonly dna: Uint8Array | null;
  readonly decodeMs: number;
  readonly describeMs: number;
}

/** Decodes and describes picture files on every core; answers in the order of the jobs. */
export async function describeAll(jobs: readonly DescribeJob[]): Promise<Described[]> {
  const answers = new Array<Described>(jobs.length);
  let next = 0;
  const work = async () => {
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    for (let job = next++; job < jobs.length; job = next++) answers[job] = await describe(worker, jobs[job]!);
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
  return answers;
}

async function describe(worker: Worker, job: DescribeJob): Promise<Described> {
  worker.postMessage(job);
  try {
    const [answer] = (await once(worker, 'message')) as [Described]; // rejects when the worker fails instead
    return answer;
  } catch (cause) {
    throw new Error(`describing ${job.path}`, { cause });
  }
}
