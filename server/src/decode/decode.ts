import type { Picture } from '@sosia/engine';
import sharp, { type Sharp } from 'sharp';
import { Failure, fail } from '../errors.ts';
import { FileBytes } from './formats/file-bytes.ts';
import type { Pixels } from './formats/format.ts';
import { formatOf } from './formats/formats.ts';
import { heicPixels } from './heic-pixels.ts';
import { LARGEST_FILE, MOST_PIXELS, checkCost, tooLargeFile } from './limits.ts';

/**
 * A picture file to pixels: upright (EXIF orientation applied), sRGB (embedded profiles and CMYK converted), eight
 * bits, transparency on white, the first frame or page. A picture whose long side exceeds `longestSide` is reduced
 * to it; smaller ones come as they are.
 *
 * The header is read here first; libvips sees the file only once its cost is known. A file that is cut short or
 * otherwise damaged is refused rather than shown in part: half a picture would be found by other halves.
 * @param transparency  whether the picture gets its `alpha`, if it has any; a further decoding of such pictures
 * @throws Failure NOT_A_PICTURE, UNSUPPORTED_FORMAT, PICTURE_TOO_LARGE or DAMAGED_PICTURE
 */
export function decodePicture(bytes: Uint8Array, longestSide: number, transparency = false): Promise<Picture> {
  return opened(bytes, async (picture) => {
    const reduced = await reduce(picture, longestSide);
    return transparency ? { ...reduced, ...(await alphaOf(picture, longestSide)) } : reduced;
  });
}

/**
 * The same picture as `decodePicture` makes of each of two sizes, of one decoding where that does not change a pixel.
 * @param most  longest side of `larger`, at least `longestSide`
 */
export function decodeTwoSizes(bytes: Uint8Array, longestSide: number, most: number, transparency = false) {
  return opened(bytes, async (picture) => {
    const larger = await reduce(picture, most);
    const isWhole = Math.max(larger.originalWidth, larger.originalHeight) <= most;
    const from = isWhole && (await isReducedAsDecoded(picture)) ? openPixels(larger, larger.rgb) : picture;
    const isSmall = isWhole && Math.max(larger.width, larger.height) <= longestSide;
    const reduced = isSmall ? larger : await reduce(from, longestSide);
    return { picture: transparency ? { ...reduced, ...(await alphaOf(picture, longestSide)) } : reduced, larger };
  });
}

/** Whether libvips reduces what it has decoded: neither the decoder nor a rotation or a conversion of 16 bits is in between. */
async function isReducedAsDecoded(picture: Sharp): Promise<boolean> {
  const { format, depth, orientation = 1 } = await picture.metadata();
  return format !== 'webp' && depth === 'uchar' && orientation === 1;
}

async function opened<T>(bytes: Uint8Array, work: (picture: Sharp) => Promise<T>): Promise<T> {
  if (bytes.length > LARGEST_FILE) throw tooLargeFile(bytes.length);
  const file = new FileBytes(bytes);
  const format = formatOf(file);
  checkCost(format.name, format.cost(file));
  try {
    const source = format.byLibheif ? await heicPixels(file) : (format.source?.(file) ?? bytes);
    return await work('rgba' in source ? openPixels(source, source.rgba) : sharp(source, options));
  } catch (cause) {
    throw cause instanceof Failure ? cause : inWords(format.name, cause);
  }
}

const options = {
  autoOrient: true,
  failOn: 'error',
  limitInputPixels: MOST_PIXELS,
  limitInputChannels: 4,
  pages: 1,
  sequentialRead: true,
} as const;

function openPixels({ width, height }: Pick<Pixels, 'width' | 'height'>, bytes: Uint8Array): Sharp {
  return sharp(bytes, { raw: { width, height, channels: bytes.length === 3 * width * height ? 3 : 4 } });
}

async function reduce(picture: Sharp, longestSide: number): Promise<Picture> {
  const { data, info } = await fitted(picture, longestSide)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (info.channels !== 3) throw new Error(`${info.channels} channels, expected 3`);

  const reduced = Math.max(width, height) === longestSide;
  const original = reduced ? (await picture.metadata()).autoOrient : info;
  const rgb = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { width, height, rgb, originalWidth: original.width, originalHeight: original.height };
}

async function alphaOf(picture: Sharp, longestSide: number): Promise<Pick<Picture, 'alpha'>> {
  if (!(await picture.metadata()).hasAlpha) return {};
  const pixels = fitted(picture, longestSide).toColourspace('srgb').ensureAlpha();
  const rgba = await pixels.raw({ depth: 'uchar' }).toBuffer();
  return { alpha: Uint8Array.from({ length: rgba.length / 4 }, (_, i) => rgba[4 * i + 3]!) };
}

function fitted(picture: Sharp, longestSide: number): Sharp {
  return picture.clone().resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
}

function inWords(name: string, cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/out of memory|allocation failed/i.test(message)) {
    return fail('PICTURE_TOO_LARGE', `decoding this ${name} takes more memory than is allowed`);
  }
  return fail(
    'DAMAGED_PICTURE',
    `${name}: ${message
      .trim()
      .replaceAll(/\s*\n\s*/g, '; ')
      .slice(0, 200)}`,
  );
}
