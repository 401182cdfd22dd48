import { HashIndex, PDQ_BYTES } from '@sosia/engine';
import { randomFor } from '@sosia/testing/pictures/random';
import { benchmark, countOf } from '../harness/benchmark.ts';
import { timesOf } from '../harness/timing.ts';

/** Differing bits up to which two pictures count as the same. */
const NEAR = 31;

export default benchmark({
  title: 'Lists of hashes',
  kind: 'speed',
  about: 'One core.',
  targets: { 'exact search, best, ms': '<= 5' },
  options: { hashes: 1_000_000 },
  size: ({ hashes }) => `${countOf(hashes)} hashes`,
  measures: ['engine/assembly', 'engine/src/dna', 'engine/src/kernels'],
  async run({ hashes }) {
    const random = randomFor('hashes', hashes);
    const bytes = (n: number) => Uint8Array.from({ length: n }, () => Math.floor(256 * random()));
    const all = bytes(PDQ_BYTES * hashes);
    const query = bytes(PDQ_BYTES);
    const far = new HashIndex(all);
    for (let i = 0; i < hashes; i += 10) all.set(query, PDQ_BYTES * i);
    const near = new HashIndex(all);
    const times = await timesOf({
      'exact search': () => far.search(query, NEAR, 100),
      'of which each tenth one is near': () => near.search(query, NEAR, 100),
    });
    const figures = Object.entries(times).flatMap(([name, { best, median }]) => [
      [`${name}, best, ms`, best] as const,
      [`${name}, median, ms`, median] as const,
    ]);
    return { figures: Object.fromEntries(figures) };
  },
});
