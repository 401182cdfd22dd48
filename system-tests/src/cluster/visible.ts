import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '@sosia/client';
import { randomFor } from '@sosia/testing/pictures/random';
import { codeOf } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import type { Site } from './site.ts';
import { unlikeAllOthers } from './unlike.ts';

const WRITERS = 8;
/** A request that a busy machine has not answered in time. */
const SILENT = -1;
/** Answers of a busy cluster: of a change, nobody knows whether it was made. */
const UNANSWERED: ReadonlySet<number> = new Set([
  SILENT,
  errorCodes.CLUSTER_OUTCOME_UNKNOWN,
  errorCodes.CLUSTER_UNREACHABLE,
  errorCodes.OVERLOADED,
]);

/**
 * Adds pictures through one service and searches each at once through the other one; every third is deleted and searched again. Every other
 * search is among all pictures. What is answered as unknown, or not in time, is counted and left alone.
 */
export async function visibleAtOnce(site: Site, count: number, seed: string) {
  const figures = { adds: 0, missed: 0, deletes: 0, shown: 0, unknown: 0 };
  const times: number[] = [];
  const done = async (change: Promise<unknown>): Promise<boolean> => {
    const code = await answerOf(change);
    if (code !== 0 && !UNANSWERED.has(code)) throw new Error(`a change was answered by ${code}`);
    if (code !== 0) figures.unknown++;
    return code === 0;
  };
  let next = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let i = next++; i < count; i = next++) {
      const id = `at once ${i}`;
      const dna = await unlikeAllOthers(randomFor('at once', seed, i));
      const [writer, reader] = [i % 2, 1 - (i % 2)];
      const only = i % 4 < 2 ? {} : { ids: [id] };
      const begin = performance.now();
      if (!(await done(site.client(writer)!.addDna(id, dna, ['v1'])))) continue;
      times.push(performance.now() - begin);
      if (++figures.adds % 500 === 0) console.error(`${figures.adds} of ${count} pictures added`);
      const finds = async (): Promise<boolean> => {
        for (;;) {
          let found = false;
          const search = site.client(reader)!.searchByDna(dna, only);
          const code = await answerOf(search.then(({ images }) => (found = images.some((image) => image.id === id))));
          if (code === 0) return found;
          if (!UNANSWERED.has(code)) throw new Error(`a search was answered by ${code}`);
          await pause(500); // the machine is busy
        }
      };
      if (!(await finds())) figures.missed++;
      if (i % 3 !== 0) continue;
      if (!(await done(site.client(writer)!.delete(id)))) continue;
      figures.deletes++;
      if (await finds()) figures.shown++;
    }
  });
  await Promise.all(writers);
  return {
    ...figures,
    ...(times.length > 0 && { addMs: { p50: Math.round(median(times)), p95: Math.round(quantile(times, 0.95)) } }),
  };
}

/** The code of an answer, or `SILENT`. */
async function answerOf(request: Promise<unknown>): Promise<number> {
  try {
    return await codeOf(request);
  } catch (cause) {
    if ((cause as Error).name === 'TimeoutError') return SILENT;
    throw cause;
  }
}
