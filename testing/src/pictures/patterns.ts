import sharp from 'sharp';
import { drawing } from './lettering.ts';
import { between, oneOf, randomFor, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, type Raster } from './raster.ts';

/** Pictures of one thing many times over. `ground` is a photograph, which only the last kind shows. */
export const patternKinds = {
  gingham: (random: Random) => drawn(800, 640, gingham(random)),
  bricks: (random: Random) => drawn(800, 640, bricks(random)),
  crossword: (random: Random) => drawn(720, 720, crossword(random)),
  'polka dots': (random: Random) => drawn(800, 640, dots(random)),
  'photograph with gingham': async (random: Random, ground: Raster) => {
    const part = { width: Math.round(ground.width * between(random, 0.55, 0.8)), height: ground.height };
    const cloth = await resized(await drawn(800, 640, gingham(random)), part.width, part.height);
    const input = await sharpOf(cloth).png().toBuffer();
    return rasterOf(sharpOf(ground).composite([{ input, left: ground.width - part.width, top: 0 }]));
  },
} as const;

export type PatternKind = keyof typeof patternKinds;

/** The kinds that show no photograph. */
export type DrawnPatternKind = Exclude<PatternKind, 'photograph with gingham'>;

/** A picture of one of the kinds; the same for the same number. */
export function patternOf(kind: DrawnPatternKind, number: number, ground?: Raster): Promise<Raster>;
export function patternOf(kind: PatternKind, number: number, ground: Raster): Promise<Raster>;
export function patternOf(kind: PatternKind, number: number, ground?: Raster): Promise<Raster> {
  return patternKinds[kind](randomFor('pattern', kind, number), ground!);
}

type Size = readonly [width: number, height: number];
type Draw = (width: number, height: number) => string;

/** Drawn, and once through JPEG. */
async function drawn(width: number, height: number, draw: Draw): Promise<Raster> {
  const png = await sharp(drawing(width, height, draw(width, height)))
    .flatten({ background: '#fff' })
    .png()
    .toBuffer();
  return rasterOf(sharp(await sharp(png).blur(0.6).jpeg({ quality: 92 }).toBuffer()));
}

function colour(random: Random): string {
  return `hsl(${Math.floor(360 * random())} ${Math.floor(between(random, 30, 90))}% ${Math.floor(between(random, 25, 60))}%)`;
}

/** Translucent stripes across and down; threads of slightly different widths. */
function gingham(random: Random): Draw {
  const period = between(random, 16, 60);
  const width = period * between(random, 0.4, 0.6);
  const fill = colour(random);
  const slant = between(random, -8, 8);
  return (w, h) => {
    let stripes = '';
    for (let at = -w; at < 2 * w; at += period) {
      const thick = width * between(random, 0.97, 1.03);
      stripes += `<rect x="${at}" y="${-h}" width="${thick}" height="${3 * h}"/>`;
      stripes += `<rect y="${at}" x="${-w}" height="${thick}" width="${3 * w}"/>`;
    }
    return `<g fill="${fill}" fill-opacity="0.5" transform="rotate(${slant})">${stripes}</g>`;
  };
}

/** Courses of bricks of different shades. */
function bricks(random: Random): Draw {
  const high = between(random, 18, 44);
  const long = high * between(random, 2, 3);
  const joint = high * between(random, 0.08, 0.16);
  const hue = between(random, 5, 30);
  return (w, h) => {
    let courses = `<rect width="100%" height="100%" fill="#b9b2a8"/>`;
    for (let y = 0, row = 0; y < h; y += high, row++)
      for (let x = (row % 2) * -0.5 * long; x < w; x += long) {
        const fill = `hsl(${hue} 55% ${between(random, 34, 48)}%)`;
        courses += `<rect x="${x}" y="${y}" width="${long - joint}" height="${high - joint}" fill="${fill}"/>`;
      }
    return courses;
  };
}

/** A square grid with black cells, the same upside down, and dots for the numbers. */
function crossword(random: Random): Draw {
  const cells = oneOf(random, [13, 15, 17, 21]);
  const black = new Set<number>();
  for (let i = 0; i < cells * cells * 0.09; i++) {
    const cell = Math.floor(random() * cells * cells);
    black.add(cell).add(cells * cells - 1 - cell);
  }
  return (w) => {
    const side = (w - 40) / cells;
    let squares = '';
    for (let cell = 0; cell < cells * cells; cell++) {
      const [x, y] = [20 + (cell % cells) * side, 20 + Math.floor(cell / cells) * side];
      const fill = black.has(cell) ? '#111' : '#fff';
      squares += `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${fill}" stroke="#111" stroke-width="1.5"/>`;
      if (!black.has(cell) && random() < 0.4)
        squares += `<path d="M${x + side * 0.1} ${y + side * 0.1}h${side * 0.12 * random()}v${side * 0.15}" stroke="#111" fill="none"/>`;
    }
    return squares;
  };
}

/** Discs in rows, every other row shifted or not. */
function dots(random: Random): Draw {
  const period = between(random, 24, 60);
  const radius = period * between(random, 0.18, 0.34);
  const shift = oneOf(random, [0, 0.5]);
  const [paper, ink] = [colour(random), oneOf(random, ['#fff', '#fbf3dc'])];
  const [left, top]: Size = [between(random, 0, period), between(random, 0, period)];
  return (w, h) => {
    let discs = `<rect width="100%" height="100%" fill="${paper}"/>`;
    for (let y = top - period, row = 0; y < h + period; y += period, row++)
      for (let x = left - period + (row % 2) * shift * period; x < w + period; x += period)
        discs += `<circle cx="${x}" cy="${y}" r="${radius}" fill="${ink}"/>`;
    return discs;
  };
}
