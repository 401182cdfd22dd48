import { DnaError } from '../errors.ts';
import { openBlock, sealBlock } from './block.ts';

/** Bytes of the shape embedding, each signed. */
export const SHAPE = 192;
/** Bytes of the color embedding: how much there is of each color, of which the first `BINS` are used, then where. */
export const BINS = 100;
export const AMOUNTS = 112;
export const LAYOUT = 48;
/** Payload of the DNA of Image Similarity: both embeddings. */
export const EMBEDDING_LENGTH = SHAPE + AMOUNTS + LAYOUT;

export function writeSimilarityDna(shape: Int8Array, color: Uint8Array): Uint8Array {
  const payload = new Uint8Array(EMBEDDING_LENGTH);
  payload.set(new Uint8Array(shape.buffer));
  payload.set(color, SHAPE);
  return sealBlock('similarity', payload);
}

/**
 * The embeddings, one after the other.
 * @throws DnaError for bytes that `writeSimilarityDna` does not write
 */
export function openSimilarityDna(block: Uint8Array): Uint8Array {
  const payload = openBlock(block, ['similarity']);
  if (payload.length !== EMBEDDING_LENGTH)
    throw new DnaError(`DNA of ${payload.length} bytes, expected ${EMBEDDING_LENGTH}`);
  const shape = payload.subarray(0, SHAPE);
  if (shape.includes(128) || shape.every((byte) => byte === 0))
    throw new DnaError('DNA has a shape that no picture has');
  if (payload.subarray(SHAPE + BINS, SHAPE + AMOUNTS).some((byte) => byte !== 0))
    throw new DnaError('DNA has unknown fields');
  return payload;
}
