import type { ImageNumber } from '@sosia/engine';

/** Which of `count` shards holds a picture. */
export function shardOf(image: ImageNumber, count: number): number {
  return image % count;
}

/** The pictures that each of `count` shards holds, in their order; null (all pictures) for each where `images` is null. */
export function split(images: Uint32Array | null, count: number): (Uint32Array | null)[] {
  return Array.from({ length: count }, (_, i) => images && images.filter((image) => shardOf(image, count) === i));
}
