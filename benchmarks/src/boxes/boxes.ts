import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { parseArgs } from 'node:util';
import { AtOnce, recipes } from '@sosia/engine';
import sharp from 'sharp';
import { alikes } from '../covers/alikes.ts';
import { describeAll } from '@sosia/testing/describing/describing';
import { cutOut } from '../logos/references.ts';
import { machine } from '@sosia/testing/machine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import type { Point } from '@sosia/testing/pictures/homography';
import { between, oneOf, randomFor, shuffled, type Random } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf, toned, type Raster } from '@sosia/testing/pictures/raster';
import { search, type Hit, type ResultInfo } from '../quality/searching.ts';
import { mean, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { blurred, covered, glaring, inTheDark, unharmed, type Condition } from './conditions.ts';
import { hung } from './hanging.ts';

const [WIDTH, HEIGHT] = [1024, 768];
/** A place whose corners are off by more, in % of the scene's diagonal, is another place. */
const ELSEWHERE = 5;

type Boxed = 'mobile-matching' | 'brand-monitoring';

/** One row of the table. */
interface Case {
  readonly title: string;
  readonly type: Boxed;
  /** Share of the scene that each placement covers. */
  readonly share: number;
  readonly tilt?: number;
  readonly turn?: number;
  readonly change?: (picture: Raster) => Promise<Raster>;
  readonly condition?: Condition;
  /** So many places for one reference, or for as many different ones. */
  readonly instances?: number;
  readonly references?: number;
}

const mirrored = (picture: Raster) => rasterOf(sharpOf(picture).flop());
const inverted = async (picture: Raster) => toned(picture, (value) => 255 - value);

const covers = { type: 'mobile-matching', share: 0.3 } as const;
const logos = { type: 'brand-monitoring', share: 0.08 } as const;
const cases: readonly Case[] = [
  ...[0, 15, 30, 45, 60].map((tilt) => ({ ...covers, title: `cover, tilted ${tilt}°`, tilt })),
  ...[1.5, 3, 4.5].map((sigma) => ({ ...covers, title: `cover, blurred by ${sigma} px`, condition: blurred(sigma) })),
  { ...covers, title: 'cover, low light', condition: inTheDark },
  { ...covers, title: 'cover, glare over half of it', condition: glaring(0.5) },
  { ...covers, title: 'cover, glare over all of it', condition: glaring(1) },
  ...[30, 50, 70].map((part) => ({ ...covers, title: `cover, ${part} % covered`, condition: covered(part / 100) })),
  { ...covers, title: 'cover, mirrored', change: mirrored },
  { ...covers, title: 'cover, upside down', turn: 180 },
  { ...covers, title: 'cover, colours inverted', change: inverted },
  { ...covers, title: 'two covers', references: 2, share: 0.2 },
  ...[3, 5, 8, 15].map((part) => ({ ...logos, title: `logo, ${part} % of the scene`, share: part / 100 })),
  ...[30, 45, 60].map((tilt) => ({ ...logos, title: `logo, tilted ${tilt}°`, tilt })),
  { ...logos, title: 'logo, blurred by 1.5 px', condition: blurred(1.5) },
  { ...logos, title: 'logo, low light', condition: inTheDark },
  { ...logos, title: 'logo, glare over half of it', condition: glaring(0.5) },
  { ...logos, title: 'logo, 30 % covered', condition: covered(0.3) },
  { ...logos, title: 'logo, mirrored', change: mirrored },
  { ...logos, title: 'logo, upside down', turn: 180 },
  { ...logos, title: 'logo, colours inverted', change: inverted },
  { ...logos, title: 'one logo three times', instances: 3, share: 0.06 },
  { ...logos, title: 'one logo nine times', instances: 9, share: 0.06 },
  { ...logos, title: 'four logos', references: 4, share: 0.06 },
];

const { values: options } = parseArgs({
  options: { scenes: { type: 'string', default: '30' }, only: { type: 'string', default: '' } },
});

const grounds = corpusPictures('photos');
if (!grounds || !corpusPictures('covers/reference')) console.log('boxes: skipped, ../shared/corpora is absent');
else {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-boxes-'));
  try {
    await measure(grounds, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Place {
  readonly reference: number;
  readonly outline: readonly Point[];
}

async function measure(grounds: readonly string[], folder: string): Promise<void> {
  const stored: Readonly<Record<Boxed, readonly string[]>> = {
    'mobile-matching': [...corpusPictures('covers/reference')!, ...corpusPictures('covers/distractor')!],
    'brand-monitoring': (await cutOut(folder)).map(({ path }) => path),
  };
  console.log(`## Boxes: references planted in scenes\n\n${machine()}\n`);
  console.log(`${options.scenes} scenes of ${WIDTH} x ${HEIGHT} pixels a row, JPEG 85. Logos are the cuttings of the logos bench with a side of 80 pixels or more.
"found": places told as Match or Clone with corners within ${ELSEWHERE} % of the diagonal. "corners": how far the four corners of the box are
off on the average, in % of the diagonal of the scene: mean and 90 %. "wrong": claims of references that are not in the scene.\n`);
  const rows: Cell[][] = [];
  for (const type of ['mobile-matching', 'brand-monitoring'] as const) {
    const paths = stored[type];
    const described = await describeAll(paths.map((path) => ({ path, type, side: 'reference' })));
    const partition = AtOnce.of(recipes[type]);
    described.forEach(({ dna }, image) => dna && partition.add(image, dna));
    const rasters = await Promise.all(paths.map((path) => rasterOf(sharp(path))));
    const usable = paths.flatMap((_, i) => {
      const small = Math.min(rasters[i]!.width, rasters[i]!.height) < 80;
      return described[i]!.dna && (type === 'mobile-matching' ? i < 50 : !small) ? [i] : [];
    });
    for (const row of cases.filter((one) => one.type === type && one.title.includes(options.only))) {
      const scenes: { path: string; places: Place[] }[] = [];
      for (let i = 0; i < Number(options.scenes); i++) {
        const random = randomFor('boxes', row.title, i);
        const { scene, places } = await planted(random, row, oneOf(random, grounds), rasters, usable);
        const path = join(folder, `${rows.length}-${i}.jpg`);
        await sharpOf(scene).jpeg({ quality: 85 }).toFile(path);
        scenes.push({ path, places });
      }
      const asked = await describeAll(scenes.map(({ path }) => ({ path, type, side: 'query' })));
      const errors: number[] = [];
      let [places, wrong] = [0, 0];
      for (const [i, { dna }] of asked.entries()) {
        const { hits } = await search(partition, dna!);
        const claimed = hits.filter(({ info }) => info.decision === 'Match' || info.decision === 'Clone');
        const truth = scenes[i]!.places;
        places += truth.length;
        wrong += claimed.filter(({ image }) => !truth.some(({ reference }) => related(paths, reference, image))).length;
        errors.push(...truth.map((place) => cornerError(place, claimed, row.change === mirrored)));
      }
      const found = errors.filter((error) => error < ELSEWHERE);
      rows.push([
        row.title,
        places,
        figure(found.length / places, 3),
        figure(mean(found), 2),
        figure(quantile(found, 0.9), 2),
        wrong,
      ]);
    }
  }
  console.log(table(['scene', 'places', 'found', 'corners', '90 %', 'wrong'], rows));
}

/** Other cuttings of a brand and other prints of a cover are no wrong claims. */
function related(paths: readonly string[], one: number, other: number): boolean {
  const [name, otherName] = [one, other].map((i) => parse(paths[i]!).name);
  const { twin, relative } = alikes.get(name!) ?? {};
  const sameBrand = paths[one]!.endsWith('.png') && name!.split('-')[0] === otherName!.split('-')[0];
  return one === other || sameBrand || twin === otherName || relative === otherName;
}

/** What result_info of these types has besides. */
interface BoxedInfo {
  readonly query: { readonly matchingBox: Box };
  readonly instances?: readonly Box[];
}

interface Box {
  readonly points: readonly Point[];
}

function boxesOf({ query, instances = [] }: BoxedInfo): Box[] {
  return [query.matchingBox, ...instances];
}

/** In % of the diagonal, of the claimed box that lies nearest; infinite where there is none. */
function cornerError({ reference, outline }: Place, claimed: readonly Hit[], flopped: boolean): number {
  const corners = flopped ? [1, 0, 3, 2].map((k) => outline[k]!) : outline;
  const boxes = claimed
    .filter(({ image }) => image === reference)
    .flatMap(({ info }) => boxesOf(info as ResultInfo & BoxedInfo));
  const off = boxes.map(({ points }) =>
    mean(points.map(([x, y], k) => Math.hypot(x * WIDTH - corners[k]![0], y * HEIGHT - corners[k]![1]))),
  );
  return (100 * Math.min(Infinity, ...off)) / Math.hypot(WIDTH, HEIGHT);
}

/** A ground with its places in it, each in a square of its own, harmed as the row says. */
async function planted(
  random: Random,
  row: Case,
  ground: string,
  rasters: readonly Raster[],
  usable: readonly number[],
): Promise<{ scene: Raster; places: Place[] }> {
  const { tilt = 10, turn = 0, instances = 1, references = 1, share, change, condition = unharmed } = row;
  const chosen = shuffled(random, usable).slice(0, references);
  const all = chosen.flatMap((reference) => Array.from({ length: instances }, () => reference));
  const side = Math.ceil(Math.sqrt(all.length));
  const rowsOf = Math.ceil(all.length / side);
  const [width, height] = [WIDTH / side, HEIGHT / rowsOf];
  let scene = await rasterOf(sharp(ground).resize({ width: WIDTH, height: HEIGHT, fit: 'cover' }));
  const places: Place[] = [];
  for (const [i, reference] of all.entries()) {
    const part = [(i % side) * width, Math.floor(i / side) * height, width, height] as const;
    const picture = change ? await change(rasters[reference]!) : rasters[reference]!;
    const hanging = { tilt, turn: turn + between(random, -10, 10), share };
    const { scene: next, outline } = await hung(random, scene, picture, hanging, part);
    scene = next;
    places.push({ reference, outline });
  }
  return { scene: await condition(scene, places[0]!.outline, random), places };
}
