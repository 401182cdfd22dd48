import { fail } from '../../errors.ts';
import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** AV1 in the container of ISO/IEC 23008-12. Decoding is slow, hence the tighter bound. */
export const avif: PictureFormat = {
  name: 'AVIF',
  matches: (file) => brands(file).some((brand) => brand === 'avif' || brand === 'avis'),
  cost(file) {
    if (brands(file)[0] === SEQUENCE_BRAND && !brands(file).includes(STILL_BRAND))
      throw fail('UNSUPPORTED_FORMAT', 'expected an AVIF with a still picture, got a sequence alone');
    return { ...largestSize(file), mostPixels: 4_000_000 };
  },
  source(file) {
    if (brands(file)[0] !== SEQUENCE_BRAND) return file.bytes;
    const still = Uint8Array.from(file.bytes); // libvips goes by the first brand, and reads the still picture beside the sequence
    still.set(Buffer.from(STILL_BRAND), 8);
    return still;
  },
};

const STILL_BRAND = 'avif';
const SEQUENCE_BRAND = 'avis';

/** HEVC in the same container, which libvips as shipped cannot decode: libheif in WebAssembly does. */
export const heic: PictureFormat = {
  name: 'HEIC',
  matches: (file) => ['heic', 'heix', 'mif1'].includes(brands(file)[0] ?? '') && !avif.matches(file),
  cost: (file) => ({ ...largestSize(file), mostPixels: 13_000_000 }),
  byLibheif: true,
};

/** The major brand, then the compatible ones; none for another kind of file. */
function brands(file: FileBytes): string[] {
  if (!file.has('ftyp', 4)) return [];
  const end = Math.min(file.u32(0), file.length, 256);
  const found = [file.text(8, 4)];
  for (let at = 16; at + 4 <= end; at += 4) found.push(file.text(at, 4));
  return found;
}

/** The largest of all sizes that the items of the file are said to have; tiles of a grid are among them. */
function largestSize(file: FileBytes): Cost {
  const meta = boxNamed('meta', file, { start: 0, end: file.length });
  const properties = boxNamed('iprp', file, { start: meta.start + 4, end: meta.end });
  let [width, height] = [0, 0];
  for (const { type, start } of boxes(file, boxNamed('ipco', file, properties))) {
    if (type !== 'ispe') continue;
    width = Math.max(width, file.u32(start + 4));
    height = Math.max(height, file.u32(start + 8));
  }
  return { width, height, memory: width * height * 4 * 3 };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function boxNamed(name: string, file: FileBytes, inside: Span): Span {
  for (const box of boxes(file, inside)) if (box.type === name) return box;
  throw fail('DAMAGED_PICTURE', `expected a box ${name} in the HEIF file, got none`);
}

function* boxes(file: FileBytes, inside: Span): Generator<Span & { type: string }> {
  for (let at = inside.start; at + 8 <= inside.end;) {
    const short = file.u32(at);
    const header = short === 1 ? 16 : 8;
    const length = short === 1 ? file.u64(at + 8) : short || inside.end - at;
    if (length < header || at + length > inside.end) {
      throw fail('DAMAGED_PICTURE', `a HEIF box at byte ${at} is ${length} bytes long, more than there are`);
    }
    yield { type: file.text(at + 4, 4), start: at + header, end: at + length };
    at += length;
  }
}
