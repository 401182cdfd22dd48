import { join, parse } from 'node:path';
import type { ImageNumber, QuadMatch } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { oneOf, randomFor } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf } from '@sosia/testing/pictures/raster';
import { mean, quantile } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { otherPrints } from '@sosia/testing/pictures/covers';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { cutOut } from '@sosia/testing/pictures/logos';
import { dnasOf, partitionOf } from '@sosia/testing/searching/partition';
import { isMatch, search, type Hit } from '@sosia/testing/searching/search';
import { cases, type Case } from './cases.ts';
import { HEIGHT, planted, WIDTH, type PlantedReference } from './planting.ts';

/** A box whose corners are off by more, in % of the scene's diagonal, is another place. */
const ELSEWHERE = 5;
/** Logos with a shorter side, in pixels, are stored and not planted. */
const SMALL = 80;

export default benchmark({
  title: 'Boxes: references planted in scenes',
  kind: 'accuracy',
  about: 'Covers (30 % of the scene) and logos (8 %) under 35 conditions.',
  missing: missingCorpora('photos', 'covers', 'logos'),
  targets: { 'corners off, worst condition, % of the diagonal': '<= 1.5' },
  options: { scenes: 15, only: '' },
  size: ({ scenes }) => `35 conditions, ${scenes} scenes each`,
  measures: ofPictures,
  run: ({ scenes, only }) =>
    inTemporaryFolder(async (folder) => {
      const covers = [...corpusPictures('covers/reference')!, ...corpusPictures('covers/distractor')!];
      const logos = (await cutOut(folder)).map(({ path }) => path);
      const chosen = cases.filter(({ title }) => title.includes(only));
      const rows = [
        ...(await rowsOf(chosen, 'mobile-matching', covers, scenes, folder)),
        ...(await rowsOf(chosen, 'brand-monitoring', logos, scenes, folder)),
      ];
      const errors = rows.map((row) => row['corners off, %']);
      return {
        figures: {
          'found, mean of all conditions': mean(rows.map(({ found }) => found)),
          'conditions with less than 0.9 found': rows.filter(({ found }) => found < 0.9).length,
          'corners off, worst condition, % of the diagonal': Math.max(...errors.filter(Number.isFinite)),
          'false matches': rows.reduce((sum, { wrong }) => sum + wrong, 0),
        },
        tables: { conditions: rows },
      };
    }),
});

async function rowsOf(
  all: readonly Case[],
  type: Case['type'],
  paths: readonly string[],
  scenes: number,
  folder: string,
) {
  const described = await describeAll(paths.map((path) => ({ path, type, side: 'reference' })));
  const dnas = described.map(({ dna }) => dna);
  const partition = partitionOf(type, dnas);
  const rasters = await Promise.all(paths.map((path) => rasterOf(sharp(path))));
  const usable = paths.flatMap((_, i) => {
    const fits = type === 'mobile-matching' ? i < 50 : Math.min(rasters[i]!.width, rasters[i]!.height) >= SMALL;
    return dnas[i] && fits ? [i] : [];
  });
  const grounds = corpusPictures('photos')!;
  const rows = [];
  for (const one of all.filter((each) => each.type === type)) {
    const places: PlantedReference[][] = [];
    const files: string[] = [];
    for (let i = 0; i < scenes; i++) {
      const random = randomFor('boxes', one.title, i);
      const made = await planted(random, one, oneOf(random, grounds), rasters, usable);
      files.push(join(folder, `${type}-${i}.jpg`));
      await sharpOf(made.scene).jpeg({ quality: 85 }).toFile(files[i]!);
      places.push(made.places);
    }
    const errors: number[] = [];
    let wrong = 0;
    for (const [i, query] of (await dnasOf(type, files, 'query')).entries()) {
      const matches = (await search(partition, query)).hits.filter(isMatch);
      const isWrong = ({ image }: Hit) => !places[i]!.some(({ reference }) => isRelated(paths, reference, image));
      wrong += matches.filter(isWrong).length;
      errors.push(...places[i]!.map((place) => cornerError(place, matches, one.mirrored)));
    }
    const found = errors.filter((error) => error < ELSEWHERE);
    rows.push({
      condition: one.title,
      places: errors.length,
      found: found.length / errors.length,
      'corners off, %': mean(found),
      '90 %': quantile(found, 0.9),
      wrong,
    });
  }
  return rows;
}

/** The same reference, another cutting of its brand or another print of its cover. */
function isRelated(paths: readonly string[], one: ImageNumber, other: ImageNumber): boolean {
  const [name, otherName] = [one, other].map((i) => parse(paths[i]!).name);
  const { twin, relative } = otherPrints.get(name!) ?? {};
  const sameBrand = paths[one]!.endsWith('.png') && name!.split('-')[0] === otherName!.split('-')[0];
  return one === other || sameBrand || twin === otherName || relative === otherName;
}

/** Of the nearest box of a match, the mean of its corners, in % of the diagonal; infinite without a box. */
function cornerError({ reference, outline }: PlantedReference, matches: readonly Hit[], mirrored = false): number {
  const corners = mirrored ? [1, 0, 3, 2].map((k) => outline[k]!) : outline;
  const infos = matches.filter(({ image }) => image === reference).map(({ info }) => info as QuadMatch);
  const boxes = infos.flatMap(({ query, instances = [] }) => [query.matchingBox, ...instances]);
  const off = boxes.map(({ points }) =>
    mean(points.map(([x, y], k) => Math.hypot(x * WIDTH - corners[k]![0], y * HEIGHT - corners[k]![1]))),
  );
  return (100 * Math.min(Infinity, ...off)) / Math.hypot(WIDTH, HEIGHT);
}
