import { DnaError } from '../errors.ts';
import { openBlock, sealBlock } from './block.ts';
import { COLOR_AMOUNT_BYTES, COLOR_BINS, COLOR_LAYOUT_BYTES, openSimilarityDna, SHAPE_BYTES } from './similarity.ts';

/** The network that an application describes its pictures by. */
export interface NetworkIdentity {
  /** 16 hex digits; differs between networks. */
  readonly digest: string;
  /** Numbers in a vector of the network. */
  readonly length: number;
}

/** Fewest and most numbers in a vector. */
export const VECTOR_LENGTHS = { least: 2, most: 4096 } as const;

/** Bytes of the digest of the network. */
const DIGEST_BYTES = 8;
const COLOR_BYTES = COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES;

/**
 * A vector as signed bytes: the largest component becomes 127 or -127. Only the direction of the vector counts. A fixed length
 * would not fit, since some networks put most of a vector into few components.
 * Undefined for a vector without a direction.
 */
export function signedBytes(vector: Float32Array): Int8Array | undefined {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0 && largest < Infinity)) return undefined;
  return Int8Array.from(vector, (value) => Math.round((127 * value) / largest));
}

/**
 * DNA of Image Similarity by a network: the digest of the network, the colour embedding, the vector as `signedBytes`.
 * @param similarityDna  the DNA of the picture without a network, which has the colour embedding
 */
export function writeNetworkDna(network: NetworkIdentity, similarityDna: Uint8Array, vector: Int8Array): Uint8Array {
  const payload = new Uint8Array(DIGEST_BYTES + COLOR_BYTES + network.length);
  payload.set(digestBytes(network));
  payload.set(openSimilarityDna(similarityDna).subarray(SHAPE_BYTES), DIGEST_BYTES);
  payload.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), DIGEST_BYTES + COLOR_BYTES);
  return sealBlock('network-similarity', payload);
}

/**
 * The colour embedding and the vector, one after the other.
 * @throws DnaError for bytes that `writeNetworkDna` does not write for this network
 */
export function openNetworkDna(block: Uint8Array, network: NetworkIdentity): Uint8Array {
  const payload = openBlock(block, ['network-similarity']);
  const found = Array.from(payload.subarray(0, DIGEST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== network.digest) throw new DnaError(`DNA of the network ${found}, expected ${network.digest}`);
  const expected = DIGEST_BYTES + COLOR_BYTES + network.length;
  if (payload.length !== expected) throw new DnaError(`DNA of ${payload.length} bytes, expected ${expected}`);
  const color = payload.subarray(DIGEST_BYTES, DIGEST_BYTES + COLOR_BYTES);
  if (color.subarray(COLOR_BINS, COLOR_AMOUNT_BYTES).some((byte) => byte !== 0))
    throw new DnaError('DNA has unknown fields');
  const vector = payload.subarray(DIGEST_BYTES + COLOR_BYTES);
  if (vector.includes(128) || !vector.some((byte) => byte === 127 || byte === 129))
    throw new DnaError('DNA has a vector that no network gives');
  return payload.subarray(DIGEST_BYTES);
}

function digestBytes({ digest }: NetworkIdentity): Uint8Array {
  return Uint8Array.from({ length: DIGEST_BYTES }, (_, i) => parseInt(digest.slice(2 * i, 2 * i + 2), 16));
}
