import { DnaError } from '../errors.ts';
import { openBlock, sealBlock } from './block.ts';

/** Bytes of the shape embedding, each signed. */
export const SHAPE_BYTES = 192;
/** Bytes of the color embedding: how much there is of each color, of which the first `COLOR_BINS` are used, then where. */
export const COLOR_BINS = 100;
export const COLOR_AMOUNT_BYTES = 112;
export const COLOR_LAYOUT_BYTES = 48;
/** Payload of the DNA of Image Similarity: both embeddings. */
export const SIMILARITY_BYTES = SHAPE_BYTES + COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES;

export function writeSimilarityDna(shape: Int8Array, color: Uint8Array): Uint8Array {
  const payload = new Uint8Array(SIMILARITY_BYTES);
  payload.set(new Uint8Array(shape.buffer));
  payload.set(color, SHAPE_BYTES);
  return sealBlock('similarity', payload);
}

/**
 * The embeddings, one after the other.
 * @throws DnaError for bytes that `writeSimilarityDna` does not write
 */
export function openSimilarityDna(block: Uint8Array): Uint8Array {
  const payload = openBlock(block, ['similarity']);
  if (payload.length !== SIMILARITY_BYTES)
    throw new DnaError(`DNA of ${payload.length} bytes, expected ${SIMILARITY_BYTES}`);
  const shape = payload.subarray(0, SHAPE_BYTES);
  if (shape.includes(128) || shape.every((byte) => byte === 0))
    throw new DnaError('DNA has a shape that no picture has');
  if (payload.subarray(SHAPE_BYTES + COLOR_BINS, SHAPE_BYTES + COLOR_AMOUNT_BYTES).some((byte) => byte !== 0))
    throw new DnaError('DNA has unknown fields');
  return payload;
}
