import { compose } from '@sosia/engine/geometry/homography';
import type { Attack, AttackContext, Attacked } from './attack.ts';
import { attacks } from './attacks.ts';
import { hidingAttacks } from './hiding-attacks.ts';
import { moving, scaling } from './homography.ts';
import { drawing } from './lettering.ts';
import { between, normal, shuffled, type Random } from './random.ts';
import { rasterOf, resized, sharpOf, toned, type Raster } from './raster.ts';
import { pasted } from './scenes.ts';
import { strongAttacks } from './strong-attacks.ts';

type Apply = Attack['apply'];

/** Changes of the pixels alone. */
const retouched: Readonly<Record<string, (picture: Raster, random: Random) => Raster | Promise<Raster>>> = {
  noise: (picture, random) => ({
    ...picture,
    rgb: picture.rgb.map((value) => byte(value + 25 * normal(random))) as Buffer,
  }),
  pale: (picture) => toned(picture, (value) => 0.35 * value + 150),
  posterised: (picture) => toned(picture, (value) => 64 * Math.round(value / 64)),
  'another hue': (picture, random) =>
    rasterOf(sharpOf(picture).modulate({ hue: Math.round(between(random, 60, 300)) })),
  sharpened: (picture) => rasterOf(sharpOf(picture).sharpen({ sigma: 3, m1: 3, m2: 3 })),
  pixelated: async (picture) => {
    const small = await resized(picture, picture.width / 6, picture.height / 6);
    return rasterOf(sharpOf(small).resize(picture.width, picture.height, { kernel: 'nearest', fit: 'fill' }));
  },
  'steep curve': (picture) => toned(picture, (value) => 255 / (1 + Math.exp((128 - value) / 22))),
};

const named = (name: string, apply: Apply): Attack => ({
  name,
  classic: false,
  apply,
  encode: (image) => image.jpeg({ quality: 85 }),
});

/** About thirty edits of every kind, which chains are drawn from. */
const links: readonly Attack[] = [
  ...attacks.filter(({ name }) => !/px$|70 %|30 %|half size|20 %|brightness 0.6/.test(name)),
  ...strongAttacks.filter(({ name }) => /crop 10|stretch|inverted|strips/.test(name)),
  ...hidingAttacks,
  ...Object.entries(retouched).map(([name, change]) =>
    named(name, async (original, { random }) => ({ picture: await change(original, random), truth: scaling(1, 1) })),
  ),
  named('on a background', onBackground),
];

/** Some of the edits after another, other ones for each picture. */
export function chained(length: number): Attack {
  return named(`chain of ${length}`, async (original, context) => {
    let made: Attacked = { picture: original, truth: scaling(1, 1) };
    for (const { apply } of shuffled(context.random, links).slice(0, length)) {
      if (Math.min(made.picture.width, made.picture.height) < 60) break; // hardly anything left to change
      const { picture, truth } = await apply(made.picture, context);
      made = { picture, truth: compose(truth, made.truth) };
    }
    return made;
  });
}

/** One figure of the picture, cut out along a smooth outline, recoloured, in front of another picture. */
export const montage: Attack = named('montage', async (original, { random, host }) => {
  const scene = await rasterOf(sharpOf(host).resize(800, 600, { fit: 'cover' }));
  const part = [between(random, 0.4, 0.7), between(random, 0.5, 0.8)].map((side, axis) =>
    Math.round(side * [original.width, original.height][axis]!),
  );
  const [width, height] = part as [number, number];
  const [left, top] = [original.width - width, original.height - height].map((free) => Math.floor(random() * free));
  const zoom = Math.min(
    Math.sqrt((between(random, 0.12, 0.3) * 800 * 600) / (width * height)),
    780 / width,
    580 / height,
  );
  const cut = await rasterOf(sharpOf(original).extract({ left: left!, top: top!, width, height }));
  const shown = await resized(cut, width * zoom, height * zoom);
  const tint = [0, 1, 2].map(() => between(random, 0.75, 1.2));
  const figure = sharpOf({ ...shown, rgb: shown.rgb.map((value, i) => byte(value * tint[i % 3]!)) as Buffer })
    .ensureAlpha()
    .composite([{ input: drawing(shown.width, shown.height, outline(random, shown)), blend: 'dest-in' }]);
  const [x, y] = [800 - shown.width, 600 - shown.height].map((free) => Math.floor(random() * free));
  const input = await figure.png({ compressionLevel: 0 }).toBuffer();
  const picture = await rasterOf(sharpOf(scene).composite([{ input, left: x!, top: y! }]));
  const toScene = compose(moving(x!, y!), compose(scaling(zoom, zoom), moving(-left!, -top!)));
  return {
    picture,
    truth: compose(scaling(1 / 800, 1 / 600), compose(toScene, scaling(original.width, original.height))),
  };
});

/** A closed curve around most of a picture, with bays of its own. */
function outline(random: Random, { width, height }: Raster): string {
  const waves = [2, 3, 5].map((count) => ({ count, deep: between(random, 0.03, 0.1), from: 2 * Math.PI * random() }));
  const points = Array.from({ length: 120 }, (_, i) => {
    const angle = (i * Math.PI) / 60;
    const reach =
      0.5 * (0.8 + waves.reduce((sum, { count, deep, from }) => sum + deep * Math.sin(count * angle + from), 0));
    return `${width * (0.5 + reach * Math.cos(angle))},${height * (0.5 + reach * Math.sin(angle))}`;
  });
  return `<polygon points="${points.join(' ')}"/>`;
}

/** Both pictures at half their strength, in the frame of the first. */
export async function blended(one: Raster, other: Raster): Promise<Raster> {
  const second = await rasterOf(sharpOf(other).resize(one.width, one.height, { fit: 'cover' }));
  return { ...one, rgb: one.rgb.map((value, i) => (value + second.rgb[i]!) >> 1) as Buffer };
}

async function onBackground(original: Raster, { random, host }: AttackContext): Promise<Attacked> {
  const side = Math.max(original.width, original.height);
  const ground = await rasterOf(sharpOf(host).resize(2 * side, 2 * side, { fit: 'cover' }));
  return pasted(between(random, 0.12, 0.24), 2 * side)(original, { random, host: ground });
}

function byte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
