import { crc32c } from '../dna/crc32c.ts';
import { EMBEDDING_LENGTH } from './embedding.ts';

/**
 * A named linear model on the embedding of a picture. As a block of bytes, little-endian:
 *
 *     byte  field
 *     0     'SPRF'
 *     4     version                                        uint8
 *     5     n, the bytes of the name                       uint8
 *     6     the number of weights                          uint16
 *     8     bias                                           float32
 *     12    weights                                        float32 each
 *     …     the name, UTF-8
 *     …     CRC-32C of all before                          uint32
 */
export interface Profile {
  readonly name: string;
  readonly weights: Float32Array;
  readonly bias: number;
}

/** Thrown for bytes that are no profile this version can read. The message names what was found. */
export class ProfileError extends Error {}

const MAGIC = 'SPRF';
const VERSION = 1; // goes up with any change of the embedding
const HEADER_BYTES = 12;

/** In words for `isProfileName`. */
export const profileNameRule = 'lower-case letters, digits, - and _, at most 64, with a letter or a digit first';

/** What a name may be: it is a field of an answer, an argument and the name of a file. */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
}

/** @throws ProfileError for a name that no profile may have */
export function requireName(name: string): void {
  if (!isProfileName(name)) throw new ProfileError(`a profile's name is ${profileNameRule}, got ${name}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of a block. A decoder that repairs or leaves out bytes would read the same name from different blocks.
 * @throws ProfileError for bytes that are not UTF-8
 */
export function textIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ProfileError('the profile has text that is not UTF-8');
  }
}

/** Signed: positive where the profile fits, about 1 for a clear case, negative where it does not. Six decimals. */
export function profileScoreOf({ weights, bias }: Profile, embedding: Uint8Array): number {
  let sum = 0;
  for (let k = 0; k < embedding.length; k++) sum += weights[k] * embedding[k];
  return Math.round(1e6 * (bias + sum)) / 1e6 + 0; // no negative zero
}

export function writeProfile({ name, weights, bias }: Profile): Uint8Array {
  requireName(name);
  const letters = new TextEncoder().encode(name);
  const bytes = new Uint8Array(HEADER_BYTES + 4 * weights.length + letters.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes.set([VERSION, letters.length], 4);
  view.setUint16(6, weights.length, true);
  view.setFloat32(8, bias, true);
  weights.forEach((weight, k) => view.setFloat32(HEADER_BYTES + 4 * k, weight, true));
  bytes.set(letters, HEADER_BYTES + 4 * weights.length);
  view.setUint32(bytes.length - 4, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}

/** @param letters  ASCII */
export function beginsWith(block: Uint8Array, letters: string): boolean {
  return Array.from(letters).every((letter, i) => block[i] === letter.charCodeAt(0));
}

/** Refuses whatever `writeProfile` does not write. */
export function openProfile(block: Uint8Array): Profile {
  if (block.length < HEADER_BYTES + 4 || !beginsWith(block, MAGIC))
    throw new ProfileError(`not a profile: ${block.length} bytes`);
  if (block[4] !== VERSION) throw new ProfileError(`profile version ${block[4]}, expected ${VERSION}`);
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const count = view.getUint16(6, true);
  if (count !== EMBEDDING_LENGTH) throw new ProfileError(`profile of ${count} weights, expected ${EMBEDDING_LENGTH}`);
  const end = HEADER_BYTES + 4 * count;
  const expected = end + block[5] + 4;
  if (block.length !== expected) throw new ProfileError(`profile of ${block.length} bytes, expected ${expected}`);
  if (crc32c(block.subarray(0, -4)) !== view.getUint32(block.length - 4, true)) {
    throw new ProfileError('the profile is damaged: its checksum does not fit');
  }
  const weights = Float32Array.from({ length: count }, (_, k) => view.getFloat32(HEADER_BYTES + 4 * k, true));
  const bias = view.getFloat32(8, true);
  const name = textIn(block.subarray(end, end + block[5]));
  if (![bias, ...weights].every(Number.isFinite))
    throw new ProfileError('the profile holds numbers that are not finite');
  requireName(name);
  return { name, weights, bias };
}
