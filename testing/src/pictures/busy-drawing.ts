import sharp from 'sharp';
import type { Patch } from './planted-change.ts';
import { drawing } from './lettering.ts';
import { between, oneOf, type Random } from './random.ts';
import { type Raster, rasterOf } from './raster.ts';

/** A scene of many small drawings, twice, with the places where the two differ. */
export interface BusyPair {
  readonly reference: Raster;
  readonly query: Raster;
  readonly places: readonly Patch[];
}

type Layer = { readonly input: Buffer; readonly left: number; readonly top: number; readonly blend: 'multiply' };

const [WIDTH, HEIGHT] = [1000, 640];

/**
 * Small drawings over strokes of hatching, as in a puzzle of differences. At each place one drawing is added, removed or
 * replaced. Places keep a distance of up to 2 % of the width.
 * @param pictures  files of drawings on white, at least a dozen
 */
export async function busyPair(pictures: readonly string[], places: number, random: Random): Promise<BusyPair> {
  const layer = async ({ left, top, width, height }: Patch): Promise<Layer> => {
    const flat = sharp(oneOf(random, pictures)).flatten({ background: '#fff' }).trim({ threshold: 40 });
    const input = await flat.resize(width, height, { fit: 'contain', background: '#fff' }).png().toBuffer();
    return { input, left, top, blend: 'multiply' };
  };
  const common: Layer[] = [{ input: strokes(random), left: 0, top: 0, blend: 'multiply' }];
  for (let i = 0; i < 70; i++) common.push(await layer(placeOf(random, 0.05, 0.16)));
  const changed = apart(random, places);
  const [before, after] = [[...common], [...common]];
  for (const place of changed) {
    const kind = oneOf(random, ['added', 'removed', 'replaced'] as const);
    if (kind !== 'added') before.push(await layer(place));
    if (kind !== 'removed') after.push(await layer(place));
  }
  const [reference, query] = [await composed(before), await composed(after)];
  return { reference, query, places: changed.map((place) => changedPart(reference, query, place)) };
}

function composed(layers: readonly Layer[]): Promise<Raster> {
  const paper = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fff' } });
  return paper
    .composite([...layers])
    .png()
    .toBuffer()
    .then((png) => rasterOf(sharp(png)));
}

/** Walls, hatching and curls in black. */
function strokes(random: Random): Buffer {
  let paths = '';
  for (let i = 0; i < 30; i++) {
    const [x, y] = [random() * WIDTH, random() * HEIGHT];
    const [dx, dy] = random() < 0.5 ? [between(random, 40, 400), 0] : [0, between(random, 40, 300)];
    paths += `<path d="M${x} ${y}l${dx} ${dy}"/>`;
    const [tilt, length] = [between(random, -12, 12), between(random, 8, 40)];
    for (let k = 0; k < 12; k++) paths += `<path d="M${y + 5 * k} ${x * 0.64}q4 ${length / 2} ${tilt} ${length}"/>`;
  }
  return drawing(WIDTH, HEIGHT, `<g fill="none" stroke="#111" stroke-width="1.5">${paths}</g>`);
}

/** @param least, most  of a side, as shares of the width */
function placeOf(random: Random, least: number, most: number): Patch {
  const [width, height] = [0, 1].map(() => Math.round(between(random, least, most) * WIDTH)) as [number, number];
  return {
    left: Math.floor(random() * (WIDTH - width)),
    top: Math.floor(random() * (HEIGHT - height)),
    width,
    height,
  };
}

function apart(random: Random, count: number): Patch[] {
  const distance = between(random, 0, 0.02) * WIDTH;
  const places: Patch[] = [];
  while (places.length < count) {
    const next = placeOf(random, 0.05, 0.13);
    const near = (a: Patch): boolean =>
      a.left < next.left + next.width + distance &&
      next.left < a.left + a.width + distance &&
      a.top < next.top + next.height + distance &&
      next.top < a.top + a.height + distance;
    if (!places.some(near)) places.push(next);
  }
  return places;
}

/** The smallest box in the place around all that differs. */
function changedPart(reference: Raster, query: Raster, { left, top, width, height }: Patch): Patch {
  const box = { left: left + width, top: top + height, right: left, bottom: top };
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) {
      const at = 3 * (y * reference.width + x);
      const differs = [0, 1, 2].some((c) => Math.abs(reference.rgb[at + c]! - query.rgb[at + c]!) > 40);
      if (!differs) continue;
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x + 1);
      box.bottom = Math.max(box.bottom, y + 1);
    }
  }
  return { left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top };
}
