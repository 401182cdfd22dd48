import { DnaError } from '../errors.ts';
import { crc32c } from './crc32c.ts';

/** Kinds of DNA that hold a payload between a header and a CRC-32C; numbers follow those of local DNA. */
export const blockKinds = { similarity: 16, palette: 17, 'colors-query': 18, 'network-similarity': 19 } as const;
export type BlockKind = keyof typeof blockKinds;

const MAGIC = 0xd7;
/** A kind's version goes up with any change that moves one bit of any DNA of it. */
const versions: Readonly<Record<BlockKind, number>> = {
  similarity: 2,
  palette: 3,
  'colors-query': 2,
  'network-similarity': 1,
};
/** Blocks from this version on are read: what changed since is how colours are found, not the format. */
const oldest: Readonly<Record<BlockKind, number>> = {
  similarity: 2,
  palette: 2,
  'colors-query': 2,
  'network-similarity': 1,
};
const HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;

/** Header (magic, version, kind, 0), payload, CRC-32C of both. */
export function sealBlock(kind: BlockKind, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length + CHECKSUM_BYTES);
  bytes.set([MAGIC, versions[kind], blockKinds[kind]]);
  bytes.set(payload, HEADER_BYTES);
  new DataView(bytes.buffer).setUint32(bytes.length - CHECKSUM_BYTES, crc32c(bytes.subarray(0, -CHECKSUM_BYTES)), true);
  return bytes;
}

/**
 * The payload, a view.
 * @throws DnaError for bytes that are no block of one of these kinds
 */
export function openBlock(block: Uint8Array, kinds: readonly BlockKind[]): Uint8Array {
  if (block.length < HEADER_BYTES + CHECKSUM_BYTES || block[0] !== MAGIC)
    throw new DnaError(`not a DNA: ${block.length} bytes`);
  const kind = kinds.find((kind) => blockKinds[kind] === block[2]);
  if (!kind) {
    throw new DnaError(`DNA of kind ${block[2]}, expected ${kinds.map((kind) => blockKinds[kind]).join(' or ')}`);
  }
  const [least, most] = [oldest[kind], versions[kind]];
  if (block[1] < least || block[1] > most) {
    throw new DnaError(`DNA version ${block[1]}, expected ${least === most ? most : `${least} to ${most}`}`);
  }
  const checksum = new DataView(block.buffer, block.byteOffset, block.length).getUint32(
    block.length - CHECKSUM_BYTES,
    true,
  );
  if (crc32c(block.subarray(0, -CHECKSUM_BYTES)) !== checksum)
    throw new DnaError('DNA is damaged: its checksum does not fit');
  if (block[3] !== 0) throw new DnaError('DNA has unknown fields');
  return block.subarray(HEADER_BYTES, -CHECKSUM_BYTES);
}
