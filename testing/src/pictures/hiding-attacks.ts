import type { Attack } from './attack.ts';
import { scaling } from './homography.ts';
import { drawing, lettersIn, line } from './lettering.ts';
import { between, oneOf, type Random } from './random.ts';
import { rasterOf, sharpOf, type Raster } from './raster.ts';

const colours = ['#fff', '#111', '#d4af37', '#c0392b', '#2e86c1', '#27ae60', '#7f8c8d', '#f5cba7'];

/** Attacks that hide a part of a picture, or change its contrast from place to place. */
export const hidingAttacks: readonly Attack[] = [
  hiding('centre hidden', hiddenCentre),
  hiding('caption over 40 %', caption),
  hiding('band of glare', glare),
  hiding('stickers', stickers),
  attack('tone mapping', toneMapped),
];

function attack(name: string, change: (original: Raster, random: Random) => Promise<Raster>): Attack {
  return {
    name,
    classic: false,
    apply: async (original, { random }) => ({ picture: await change(original, random), truth: scaling(1, 1) }),
    encode: (image) => image.jpeg({ quality: 90 }),
  };
}

/** @param content  SVG over a picture of this size */
function hiding(name: string, content: (random: Random, width: number, height: number) => string): Attack {
  return attack(name, (original, random) => {
    const { width, height } = original;
    return rasterOf(sharpOf(original).composite([{ input: drawing(width, height, content(random, width, height)) }]));
  });
}

/** A flat patch of half to two thirds of either side. */
function hiddenCentre(random: Random, width: number, height: number): string {
  const [across, down] = [between(random, 0.5, 0.67) * width, between(random, 0.5, 0.67) * height];
  const [left, top] = [(width - across) / 2, (height - down) / 2];
  const fill = oneOf(random, colours);
  return random() < 0.7
    ? `<rect x="${left}" y="${top}" width="${across}" height="${down}" fill="${fill}"/>`
    : `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${across / 2}" ry="${down / 2}" fill="${fill}"/>`;
}

/** One bar or two with lines of letters, of 40 % of the height in all. */
function caption(random: Random, width: number, height: number): string {
  const bars = oneOf(random, [
    [[0, 0.4]],
    [[0.6, 0.4]],
    [[0.3, 0.4]],
    [
      [0, 0.2],
      [0.8, 0.2],
    ],
  ] as const);
  const ground = oneOf(random, ['#fff', '#111', '#ffe14d']);
  const ink = ground === '#111' ? '#fff' : '#111';
  const rows = Math.round(between(random, 1, 4) / bars.length) || 1;
  return bars
    .map(([from, tall]) => {
      const [top, pitch] = [from * height, (tall * height) / rows];
      const size = between(random, 0.35, 0.6) * pitch;
      const lines = Array.from({ length: rows }, (_, row) => {
        const y = top + row * pitch + (pitch - size) / 2;
        return line(random, lettersIn(0.92 * width, size), 0.04 * width, y, size, ink);
      });
      return `<rect x="0" y="${top}" width="${width}" height="${tall * height}" fill="${ground}"/>${lines.join('')}`;
    })
    .join('');
}

/** A reflection right across, white in the middle and fading out at both sides. */
function glare(random: Random, width: number, height: number): string {
  const [middle, half] = [between(random, 0.35, 0.65), between(random, 0.16, 0.24)];
  const stops = [
    [middle - 1.4 * half, 0],
    [middle - 0.7 * half, 1],
    [middle + 0.7 * half, 1],
    [middle + 1.4 * half, 0],
  ].map(([at, opacity]) => `<stop offset="${at}" stop-color="#fff" stop-opacity="${opacity}"/>`);
  const angle = between(random, 0, 90).toFixed(0);
  return `<defs><linearGradient id="g" gradientTransform="rotate(${angle} .5 .5)">${stops.join('')}</linearGradient></defs><rect width="${width}" height="${height}" fill="url(#g)"/>`;
}

/** Eight to fourteen discs with letters, each a sixth to a third of the shorter side wide. */
function stickers(random: Random, width: number, height: number): string {
  return Array.from({ length: Math.round(between(random, 8, 14)) }, () => {
    const radius = (between(random, 0.16, 0.34) * Math.min(width, height)) / 2;
    const [x, y] = [random() * width, random() * height];
    const letters = line(random, 3, x - 0.6 * radius, y - 0.22 * radius, 0.45 * radius, '#111');
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${oneOf(random, colours)}" stroke="#fff" stroke-width="3"/>${letters}`;
  }).join('');
}

/** Local histogram equalisation, or strong local contrast: details are kept and what lies behind them is levelled. */
async function toneMapped(original: Raster, random: Random): Promise<Raster> {
  if (random() < 0.5) {
    const tiles = between(random, 4, 8);
    const size = { width: Math.ceil(original.width / tiles), height: Math.ceil(original.height / tiles) };
    return rasterOf(sharpOf(original).clahe({ ...size, maxSlope: Math.round(between(random, 20, 60)) }));
  }
  const around = await rasterOf(sharpOf(original).blur(between(random, 0.03, 0.06) * original.width));
  const [detail, ground] = [between(random, 2, 4), between(random, 0, 0.15)];
  const rgb = Uint8ClampedArray.from(original.rgb, (value, i) => {
    return 128 + detail * (value - around.rgb[i]!) + ground * (around.rgb[i]! - 128);
  });
  return { ...original, rgb: Buffer.from(rgb) };
}
