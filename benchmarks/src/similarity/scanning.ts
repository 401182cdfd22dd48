import { AtOnce, grouped, prevalent } from '@sosia/engine';

/** The same work several times: the fastest, and the middle one, in milliseconds. */
export function timed(work: () => void, runs = 9): { best: number; median: number } {
  work(); // compiles
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { best: times[0]!, median: times[runs >> 1]! };
}

/** A partition of so many pictures: the given ones again and again. */
export function filled(partition: AtOnce, dnas: readonly Uint8Array[], count: number): AtOnce {
  for (let image = 0; image < count; image++) partition.add(image, dnas[image % dnas.length]!);
  return partition;
}

/** One number of each line of the cache: as fast as memory gives its bytes. */
export function memoryRead(bytes: number): { best: number; median: number } {
  const memory = new Int32Array(bytes / 4).fill(1);
  let sum = 0;
  const times = timed(() => {
    for (let i = 0; i < memory.length; i += 16) sum += memory[i]!;
  });
  if (sum === 0) throw new Error('nothing was read');
  return times;
}

/** GetPalette over one share. */
export function palette(partition: AtOnce): number {
  const grouping = grouped(partition.fill(null, []));
  return prevalent(grouping, partition.holders(null, [], grouping)).length;
}
