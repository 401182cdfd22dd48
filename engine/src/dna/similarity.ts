import { AMOUNTS, BINS, LAYOUT } from '../color/color-embedding.ts';
import { SHAPE } from '../shape/shape-embedding.ts';
import { DnaError } from '../errors.ts';
import { openBlock, sealBlock } from './block.ts';

/** Payload of the DNA of Image Similarity: 192 signed bytes of shape, 160 bytes of colour. */
export const LOOK = SHAPE + AMOUNTS + LAYOUT;

export function writeLook(shape: Int8Array, colouring: Uint8Array): Uint8Array {
  const payload = new Uint8Array(LOOK);
  payload.set(new Uint8Array(shape.buffer));
  payload.set(colouring, SHAPE);
  return sealBlock('look', payload);
}

/** @throws DnaError for whatever `writeLook` does not write */
export function openLook(block: Uint8Array): Uint8Array {
  const payload = openBlock(block, ['look']);
  if (payload.length !== LOOK) throw new DnaError(`DNA of ${payload.length} bytes, expected ${LOOK}`);
  const shape = payload.subarray(0, SHAPE);
  if (shape.includes(128) || shape.every((byte) => byte === 0))
    throw new DnaError('DNA has a shape that no picture has');
  if (payload.subarray(SHAPE + BINS, SHAPE + AMOUNTS).some((byte) => byte !== 0))
    throw new DnaError('DNA has unknown fields');
  return payload;
}
