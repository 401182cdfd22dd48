import { basename } from 'node:path';
import { compare } from '@sosia/engine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { pictureOf, rasterOf } from '@sosia/testing/pictures/raster';
import { share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';
import { edits } from '@sosia/testing/pictures/edits';
import { overlap } from './overlap.ts';
import { corrected, labelledPairs, opened, type Pair } from './pairs.ts';
import { changes, planted } from '@sosia/testing/pictures/planted-change';

/** A region covers a planted change from this intersection over union on. */
const COVERED = 0.3;

export default benchmark({
  title: 'FineComparison: planted changes',
  kind: 'accuracy',
  about: `Edited photographs, with or without a change of 0.5 to 3 %. "Covered": intersection over union of ${COVERED}. Pairs: JPEG 70.`,
  missing: missingCorpora('photos', 'differences'),
  targets: {
    'planted changes covered': '>= 0.95',
    'unchanged pairs with a region': '<= 0.05',
    'changed pairs above all others': '>= 1',
  },
  options: { pictures: 200, seed: 1 },
  size: ({ pictures }) => ({ 'changed pairs': '27 pairs', '': `${pictures} pairs` }),
  measures: ['engine/assembly', 'engine/src/compare', 'engine/src/geometry', 'engine/src/kernels', 'engine/src/pixels'],
  async run({ pictures, seed }) {
    const trials = await plantedTrials(pictures, seed);
    const rows = [...changes, ...Object.keys(edits)].map((name) => {
      const of = trials.filter(({ change, edit }) => [change, edit].includes(name));
      return {
        name,
        pairs: of.length,
        covered: share(of, (one) => one.covered),
        alarms: share(of, (one) => one.alarm),
      };
    });
    const pairs = await pairRows();
    const highest = Math.max(...pairs.filter((row) => row.corrected !== 'changed').map((row) => row.worsened));
    const changed = pairs.filter((row) => row.corrected === 'changed');
    return {
      figures: {
        'planted changes covered': share(trials, ({ covered }) => covered),
        'unchanged pairs with a region': share(trials, ({ alarm }) => alarm),
        'changed pairs above all others': share(changed, (row) => row.worsened > highest),
      },
      tables: { planted: rows, pairs },
    };
  },
});

async function plantedTrials(pictures: number, seed: number) {
  const chosen = shuffled(randomFor('compared', seed), corpusPictures('photos')!).slice(0, pictures);
  const names = Object.keys(edits);
  const trials = [];
  for (const [i, path] of chosen.entries()) {
    const change = changes[i % changes.length]!;
    const edit = names[Math.floor(i / changes.length) % names.length]!;
    const original = await rasterOf(sharp(path));
    const other = await rasterOf(sharp(chosen[(i + 1) % chosen.length]));
    const { reference, query, patch } = await planted(
      original,
      change,
      other,
      randomFor('planted', basename(path), seed),
    );
    const found = compare(pictureOf(reference), pictureOf(await edits[edit]!(query)));
    const same = compare(pictureOf(original), pictureOf(await edits[edit]!(original)));
    trials.push({
      change,
      edit,
      covered: found?.regions.some((region) => overlap(region, patch, reference) >= COVERED) ?? false,
      alarm: same?.regions.length !== 0,
    });
  }
  return trials;
}

async function pairRows() {
  const rows = [];
  for (const pair of labelledPairs()) {
    const scoreOf = async (worse: boolean): Promise<number> => {
      const [a, b] = await opened(pair, worse);
      return compare(pictureOf(a), pictureOf(b))?.score ?? NaN;
    };
    const kind: Pair['kind'] = corrected[pair.b] ?? pair.kind;
    rows.push({
      pair: pair.b,
      label: pair.kind,
      corrected: kind,
      plain: await scoreOf(false),
      worsened: await scoreOf(true),
    });
  }
  return rows;
}
