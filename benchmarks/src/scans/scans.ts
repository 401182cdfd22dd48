import { compare } from '@sosia/engine';
import { busyPair } from '@sosia/testing/pictures/busy-drawing';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { edits } from '@sosia/testing/pictures/edits';
import { changes, planted } from '@sosia/testing/pictures/planted-change';
import { randomFor } from '@sosia/testing/pictures/random';
import { pictureOf, type Raster, rasterOf } from '@sosia/testing/pictures/raster';
import { rims, scan } from '@sosia/testing/pictures/scan';
import { share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { overlap } from '../compare/overlap.ts';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';

/** Changed places of a drawing, and regions that its answer should have. */
const [PLACES, ENOUGH] = [20, 15];
/** Drawings are scanned with strips in one or both pictures, or edited. */
const treatments = ['none', ...Object.keys(edits).slice(0, 3), 'strips', 'strips in both'];

export default benchmark({
  title: 'FineComparison: busy drawings, scans and frames',
  kind: 'accuracy',
  about: `Drawings with ${PLACES} changed places; scans, unchanged or with one change. Unseen half.`,
  missing: missingCorpora('styles', 'photos', 'posters'),
  targets: {
    'drawings with 15 regions': '>= 1',
    'drawings with a box over half the picture': '<= 0',
    'unchanged scans with a region, one scanned': '<= 0.05',
    'changes in scans covered': '>= 0.95',
  },
  options: { drawings: 24, scans: 40, half: 1 },
  size: ({ drawings, scans }) => ({
    drawings: `${drawings} pairs`,
    'changed places': `${drawings} pairs`,
    '': `${scans} pairs`,
  }),
  measures: ['engine/assembly', 'engine/src/compare', 'engine/src/geometry', 'engine/src/kernels', 'engine/src/pixels'],
  async run({ drawings, scans, half }) {
    const scenes = await range(drawings, (i) => drawingTrial(i, half));
    const scanned = await range(scans, (i) => scanTrial(i, half));
    const [one, both] = [false, true].map((each) => scanned.filter((trial) => trial.both === each));
    return {
      figures: {
        'drawings with 15 regions': share(scenes, ({ regions }) => regions >= ENOUGH),
        'drawings with a box over half the picture': share(scenes, ({ largest }) => largest > 0.5),
        'changed places covered': scenes.reduce((sum, { covered }) => sum + covered, 0) / scenes.length,
        'unchanged scans with a region, one scanned': share(one!, ({ alarm }) => alarm),
        'unchanged scans with a region, both scanned': share(both!, ({ alarm }) => alarm),
        'changes in scans covered': share(one!, ({ covered }) => covered),
      },
      tables: {
        drawings: treatments.map((name) => {
          const of = scenes.filter(({ treatment }) => treatment === name);
          return { name, pairs: of.length, regions: of.reduce((sum, { regions }) => sum + regions, 0) / of.length };
        }),
        scans: rims.map((name) => {
          const of = scanned.filter(({ rim }) => rim === name);
          return { name, pairs: of.length, alarms: share(of, ({ alarm }) => alarm) };
        }),
      },
    };
  },
});

async function range<T>(count: number, of: (i: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(await of(i));
  return all;
}

function pictures(folder: string, half: number, kind = ''): string[] {
  return corpusPictures(folder)!.filter((path, i) => path.includes(kind) && i % 2 === half);
}

async function drawingTrial(i: number, half: number) {
  const random = randomFor('busy', half, i);
  const style = i % 2 === 0 ? 'sketch' : 'cartoon';
  const treatment = treatments[Math.floor(i / 2) % treatments.length]!;
  const { reference, query, places } = await busyPair(pictures('styles', half, style), PLACES, random);
  const strips = treatment.startsWith('strips');
  const changed = strips ? await scan(query, 'strips', random) : ((await edits[treatment]?.(query)) ?? query);
  const first = treatment === 'strips in both' ? await scan(reference, 'strips', random) : reference;
  const regions = compare(pictureOf(first), pictureOf(changed))?.regions ?? [];
  const covered = share(places, (place) => regions.some((region) => overlap(region, place, reference) >= 0.3));
  const largest = Math.max(
    0,
    ...regions.map(({ reference: { topLeftPoint: a, bottomRightPoint: b } }) => (b[0] - a[0]) * (b[1] - a[1])),
  );
  return { treatment, regions: regions.length, covered, largest };
}

async function scanTrial(i: number, half: number) {
  const random = randomFor('scan', half, i);
  const [photos, list] = [pictures('photos', half), pictures(i % 4 === 3 ? 'posters' : 'photos', half)];
  const original = await rasterOf(sharp(list[(7 * i) % list.length]));
  const other = await rasterOf(sharp(photos[(7 * i + 3) % photos.length]));
  const [rim, both] = [rims[i % rims.length]!, Math.floor(i / rims.length) % 2 === 1];
  const { reference, query, patch } = await planted(
    original,
    changes[Math.floor(i / 10) % changes.length]!,
    other,
    random,
  );
  const regionsOf = async (a: Raster, b: Raster) => {
    const scanned = await scan(b, rim, random);
    const first = both ? await scan(a, rims[Math.floor(random() * rims.length)]!, random) : a;
    return compare(pictureOf(first), pictureOf(scanned))?.regions;
  };
  const alarm = (await regionsOf(original, original))?.length !== 0;
  const found = (await regionsOf(reference, query)) ?? [];
  return { rim, both, alarm, covered: found.some((region) => overlap(region, patch, reference) >= 0.3) };
}
