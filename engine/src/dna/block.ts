import { DnaError } from '../errors.ts';
import { crc32c } from './crc32c.ts';

/** Kinds of DNA that hold a payload between a header and a CRC-32C; numbers follow those of local DNA. */
export const blockKinds = { similarity: 16, palette: 17, 'colors-query': 18, 'network-similarity': 19 } as const;
export type BlockKind = keyof typeof blockKinds;

const MAGIC = 0xd7;
/** Goes up with any change that moves one bit of any DNA of these kinds. */
const VERSION = 1;
const HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;

/** Header (magic, version, kind, 0), payload, CRC-32C of both. */
export function sealBlock(kind: BlockKind, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length + CHECKSUM_BYTES);
  bytes.set([MAGIC, VERSION, blockKinds[kind]]);
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
  if (!kinds.some((kind) => blockKinds[kind] === block[2])) {
    const [name = block[2]] = Object.entries(blockKinds).find(([, number]) => number === block[2]) ?? [];
    throw new DnaError(`DNA of kind ${name}, expected ${kinds.join(' or ')}`);
  }
  if (block[1] !== VERSION) throw new DnaError(`DNA version ${block[1]}, expected ${VERSION}`);
  const checksum = new DataView(block.buffer, block.byteOffset, block.length).getUint32(
    block.length - CHECKSUM_BYTES,
    true,
  );
  if (crc32c(block.subarray(0, -CHECKSUM_BYTES)) !== checksum)
    throw new DnaError('DNA is damaged: its checksum does not fit');
  if (block[3] !== 0) throw new DnaError('DNA has unknown fields');
  return block.subarray(HEADER_BYTES, -CHECKSUM_BYTES);
}
