import type { ImageNumber } from '@sosia/engine';

/** Which of `count` shards holds a picture. */
export function shardOf(image: ImageNumber, count: number): number {
  return image % count;
}
