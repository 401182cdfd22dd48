import { median, quantile } from '@sosia/testing/statistics';
import type { Site } from './site.ts';

const WRITERS = 8;

/** Adds pictures through one service and searches each at once through the other one; every third is deleted and searched again. */
export async function visibleAtOnce(site: Site, dna: Uint8Array, count: number) {
  const figures = { adds: 0, missed: 0, deletes: 0, shown: 0 };
  const times: number[] = [];
  let next = 0;
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let i = next++; i < count; i = next++) {
      const id = `at once ${i}`;
      const [writer, reader] = [i % 2, 1 - (i % 2)];
      const begin = performance.now();
      await site.client(writer)!.addDna(id, dna, ['v1']);
      times.push(performance.now() - begin);
      figures.adds++;
      const finds = async (): Promise<boolean> =>
        (await site.client(reader)!.searchByDna(dna, { ids: [id] })).images.length === 1;
      if (!(await finds())) figures.missed++;
      if (i % 3 !== 0) continue;
      await site.client(writer)!.delete(id);
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
