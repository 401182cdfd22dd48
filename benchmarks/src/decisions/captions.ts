import { between, oneOf, type Random } from '@sosia/testing/pictures/random';
import sharp, { type Sharp } from 'sharp';

/** A band with letters over a part of a picture. */
export interface Caption {
  /** Of the height. */
  readonly share: number;
  readonly place: 'top' | 'bottom';
  readonly background: string;
  readonly text: string;
  readonly family: string;
  /** Height of the letters by that which fits. */
  readonly letters: number;
}

const words = 'when you see it the last of them and nobody knows why we came here again for more than that'.split(' ');

/** A caption drawn by chance. */
export function captionBy(random: Random): Caption {
  return {
    share: between(random, 0.1, 0.45),
    place: oneOf(random, ['top', 'bottom'] as const),
    background: oneOf(random, ['#fff', '#000', '#ffd500', '#c22']),
    text: Array.from({ length: Math.round(between(random, 2, 6)) }, () => oneOf(random, words)).join(' '),
    family: oneOf(random, ['sans-serif', 'serif', 'monospace']),
    letters: 1,
  };
}

/** The same words in a band of another size, place and colour. */
export function inAnotherBand(caption: Caption, random: Random): Caption {
  const { share, place, background } = captionBy(random);
  return { ...caption, share, place, background, letters: between(random, 0.6, 1) };
}

/** The picture with the caption over it. */
export async function under(
  { share, place, background, text, family, letters }: Caption,
  file: string,
): Promise<Sharp> {
  const { width, height } = (await sharp(file).metadata()).autoOrient;
  const band = Math.max(1, Math.round(share * height));
  const ink = background === '#000' || background === '#c22' ? '#fff' : '#000';
  const size = Math.round(letters * Math.min(band / 2.4, (1.6 * width) / text.length));
  const input = Buffer.from(
    `<svg width="${width}" height="${band}"><rect width="100%" height="100%" fill="${background}"/><text x="50%" y="62%" font-family="${family}" font-size="${size}" text-anchor="middle" fill="${ink}">${text}</text></svg>`,
  );
  const flat = sharp(file).autoOrient().flatten({ background: '#fff' });
  return flat.composite([{ input, left: 0, top: place === 'top' ? 0 : height - band }]);
}
