import { between, oneOf, type Random } from '@sosia/testing/pictures/random';
import sharp, { type Sharp } from 'sharp';

export interface Stored {
  readonly width: number;
  readonly height: number;
  readonly open: () => Sharp;
}

type Edit = (picture: Stored, random: Random) => Sharp;

/** What people do to a picture before it is stored a second time. */
export const edits: Readonly<Record<string, Edit>> = {
  mirrored: ({ open }) => open().flop(),
  'turned by quarters': ({ open }, random) => open().rotate(oneOf(random, [90, 180, 270])),
  'turned by degrees': ({ open }, random) =>
    open().rotate(oneOf(random, [-1, 1]) * between(random, 3, 14), {
      background: oneOf(random, ['#fff', '#000', '#888']),
    }),
  bordered: ({ open, width }, random) => {
    const side = Math.round(between(random, 0.02, 0.08) * width);
    return open().extend({
      top: side,
      bottom: side,
      left: side,
      right: side,
      background: oneOf(random, ['#fff', '#000', '#d33']),
    });
  },
  'caption over it': ({ open, width, height }, random) => {
    const band = Math.round(between(random, 0.12, 0.25) * height);
    const top = oneOf(random, [0, height - band]);
    return open().composite([
      { input: lettered(width, band, oneOf(random, ['#fff', '#000', '#ffd500'])), left: 0, top },
    ]);
  },
  'patch over it': ({ open, width, height }, random) => {
    const [w, h] = [0.2, 0.3].map((most) => between(random, 0.15, most)) as [number, number];
    const size = { width: Math.round(w * width), height: Math.round(h * height) };
    const left = Math.round(between(random, 0, 1) * (width - size.width));
    const top = Math.round(between(random, 0, 1) * (height - size.height));
    const background = oneOf(random, ['#fff', '#000', '#2a6', '#35c']);
    return open().composite([{ input: { create: { ...size, channels: 3, background } }, left, top }]);
  },
  cropped: ({ open, width, height }, random) => {
    const [w, h] = [between(random, 0.7, 0.9), between(random, 0.7, 0.9)];
    const size = { width: Math.round(w * width), height: Math.round(h * height) };
    const left = Math.round(random() * (width - size.width));
    return open().extract({ ...size, left, top: Math.round(random() * (height - size.height)) });
  },
  enlarged: ({ open, width }, random) =>
    open().resize(Math.round(between(random, 1.25, 2.2) * width), undefined, {
      kernel: oneOf(random, ['cubic', 'lanczos3', 'linear']),
    }),
  reduced: ({ open, width }, random) => open().resize(Math.round(between(random, 0.4, 0.85) * width)),
  'saved again': ({ open }) => open(),
  toned: ({ open }, random) => open().linear(between(random, 0.8, 1.15), between(random, -15, 15)),
};

function lettered(width: number, height: number, background: string): Buffer {
  const ink = background === '#000' ? '#fff' : '#000';
  const size = Math.round(height / 2.4);
  return Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/><text x="50%" y="62%" font-family="sans-serif" font-size="${size}" text-anchor="middle" fill="${ink}">when you see it</text></svg>`,
  );
}

/** The edited picture as a file of a usual quality. */
export async function editedFile(kind: string, file: Uint8Array, random: Random): Promise<Buffer> {
  const { width, height } = (await sharp(file).metadata()).autoOrient;
  const open = (): Sharp => sharp(file).autoOrient().flatten({ background: '#fff' });
  const quality = oneOf(random, [75, 80, 85, 90, 92, 95]);
  return edits[kind]!({ width, height, open }, random).jpeg({ quality }).toBuffer();
}
