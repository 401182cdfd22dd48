import sharp from 'sharp';
import { oneOf, type Random } from '../pictures/random.ts';

/** One small picture in every format, and in the variants of it that take their own ways through a decoder. */
export async function seeds(): Promise<Buffer[]> {
  const [width, height] = [96, 72];
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7 + Math.floor(i / 300) * 31) & 255);
  const picture = () => sharp(rgb, { raw: { width, height, channels: 3 } });
  const still = await picture().png().toBuffer();
  const negative = await picture().negate().png().toBuffer();
  const animated = () => sharp([still, negative, still], { join: { animated: true } });
  const bitmap = Buffer.alloc(54 + rgb.length);
  bitmap.write('BM', 'latin1');
  bitmap.writeUInt32LE(54, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(width, 18);
  bitmap.writeInt32LE(height, 22);
  bitmap.writeUInt16LE(24, 28);
  bitmap.set(rgb, 54);
  const encoded = [
    picture().jpeg(),
    picture().jpeg({ progressive: true }),
    picture().withMetadata({ orientation: 6 }).jpeg(),
    picture().toColourspace('cmyk').jpeg(),
    picture().png({ progressive: true }),
    picture().png({ palette: true }),
    picture().withIccProfile('p3').png(),
    picture().toColourspace('rgb16').png(),
    picture().webp(),
    picture().webp({ lossless: true }),
    animated().webp(),
    animated().gif(),
    picture().tiff({ compression: 'lzw' }),
    picture().tiff({ compression: 'jpeg', tile: true, tileWidth: 32, tileHeight: 32 }),
    picture().avif({ effort: 0 }),
  ];
  return [...(await Promise.all(encoded.map((image) => image.toBuffer()))), still, bitmap];
}

/** A seed with one to four things wrong with it. */
export function mutant(random: Random, files: readonly Buffer[]): Buffer {
  let file = Buffer.from(oneOf(random, files));
  const below = (n: number) => Math.floor(random() * n);
  const place = () => below(random() < 0.5 ? Math.min(64, file.length) : file.length); // headers matter most
  const span = () => {
    const from = place();
    return file.subarray(from, from + 1 + below(64));
  };
  const harms: (() => void)[] = [
    () => (file[place()]! ^= 1 << below(8)),
    () => (file[place()] = oneOf(random, [0, 1, 0x7f, 0x80, 0xfe, 0xff])),
    () => writeLength(file, place(), oneOf(random, [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]), random() < 0.5),
    () => (file = file.subarray(0, 1 + place())),
    () => (file = Buffer.concat([file.subarray(0, place()), span(), file.subarray(place())])),
    () => (file = Buffer.concat([file.subarray(0, place()), oneOf(random, files).subarray(below(2000))])),
  ];
  for (let n = 1 + below(4); n > 0 && file.length > 8; n--) oneOf(random, harms)();
  return file;
}

function writeLength(file: Buffer, at: number, value: number, little: boolean): void {
  if (at + 4 > file.length) return;
  if (little) file.writeUInt32LE(value, at);
  else file.writeUInt32BE(value, at);
}
