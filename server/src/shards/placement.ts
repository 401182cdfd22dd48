import type { ImageNumber } from '@sosia/engine';

/** Which of `count` shards holds a picture. */
export function shardOf(image: ImageNumber, count: number): number {
  return image % count;
}

/** The pictures that each of `count` shards holds, in their order; null (all pictures) for each where `images` is null. */
export function split(images: Uint32Array | null, count: number): (Uint32Array | null)[] {
  if (!images) return Array.from({ length: count }, () => null);
  if (count === 1) return [images];
  const lengths = new Uint32Array(count);
  for (const image of images) lengths[shardOf(image, count)]!++;
  const parts = Array.from(lengths, (length) => new Uint32Array(length));
  for (let i = images.length - 1; i >= 0; i--) {
    const shard = shardOf(images[i]!, count);
    parts[shard]![--lengths[shard]!] = images[i]!;
  }
  return parts;
}
