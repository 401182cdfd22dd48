import { fail, type Failure } from '../../errors.ts';
import { bmp } from './bmp.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';
import { gif } from './gif.ts';
import { avif, heic } from './heif.ts';
import { jpeg } from './jpeg.ts';
import { png } from './png.ts';
import { tiff } from './tiff.ts';
import { webp } from './webp.ts';

export const formats: readonly PictureFormat[] = [jpeg, png, webp, gif, bmp, tiff, avif, heic];

/** The format that the first bytes show; the file's name plays no part. @throws Failure for any other file */
export function formatOf(file: FileBytes): PictureFormat {
  const format = formats.find(({ matches }) => matches(file));
  if (!format) throw refusal(file);
  return format;
}

/** What else comes as a picture, so that the refusal can name it. */
const others: Readonly<Record<string, RegExp>> = {
  HTML: /^(\xef\xbb\xbf)?\s*<(!doctype html|html)/i,
  SVG: /^[^\0]*<svg[\s/>]/i,
  PDF: /^%PDF-/,
  PostScript: /^%!PS/,
  XML: /^(\xef\xbb\xbf)?\s*<\?xml/,
  'ImageMagick MVG': /^push graphic-context/,
  Photoshop: /^8BPS/,
  'JPEG XL': /^(\xff\x0a|\0\0\0\x0cJXL )/,
  'JPEG 2000': /^(\0\0\0\x0cjP {2}|\xff\x4f\xff\x51)/,
  OpenEXR: /^v\/1\x01/,
  Radiance: /^#\?/,
  QOI: /^qoif/,
  farbfeld: /^farbfeld/,
  'PNM or PAM': /^P[1-7]\s/,
  'icon or cursor': /^\0\0[\x01\x02]\0/,
  'ISO media (video, or a HEIF variant)': /^....ftyp/s,
  ZIP: /^PK\x03\x04/,
};

function refusal(file: FileBytes): Failure {
  const expected = `expected ${formats.map(({ name }) => name).join(', ')}`;
  if (file.length === 0) return fail('NOT_A_PICTURE', `${expected}, got no bytes`);

  const start = file.text(0, Math.min(file.length, 1024));
  for (const [name, pattern] of Object.entries(others)) {
    if (pattern.test(start)) return fail('UNSUPPORTED_FORMAT', `${expected}, got ${name}`);
  }
  return fail('NOT_A_PICTURE', `${expected}, got ${file.length} bytes that begin with ${beginning(file.bytes)}`);
}

/** As text where it is text, else in hexadecimal. */
function beginning(bytes: Uint8Array): string {
  const first = Buffer.from(bytes.subarray(0, 8));
  return first.every((byte) => byte >= 0x20 && byte < 0x7f) ? JSON.stringify(first.toString()) : first.toString('hex');
}
