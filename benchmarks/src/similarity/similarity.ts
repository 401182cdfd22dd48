import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attackNamed } from '@sosia/testing/pictures/attacks';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { rasterOf, resized } from '@sosia/testing/pictures/raster';
import { share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { dnasOf, partitionOf } from '@sosia/testing/searching/partition';
import { colourHistogram } from './histogram.ts';
import { labelled, nearestByDistance, precision, type NearestOf } from './precision.ts';

const TYPE = 'image-similarity';
const SEED = 1;
const WEIGHTS = [0, 0.5, 1];
const PLAIN = ['jpeg 8', 'quarter size', 'half size', 'blur 3', 'grey, gamma 1.8', 'brightness 0.6', 'brightness 1.4'];
const GEOMETRY = ['crop 70 %', 'mirrored', 'border, text, contrast', 'rotate 15', 'crop 50 %'];

export default benchmark({
  title: 'Image Similarity: garments, changed photographs',
  kind: 'accuracy',
  about: 'Precision at 10 by kind of garment. "Gain": color_weight 0.5 less 0.',
  missing: missingCorpora('clothing', 'styles', 'cats_dogs', 'photos'),
  targets: {
    'precision, color_weight 0, unseen garments': '>= 0.6',
    'precision, times the better baseline': '>= 1.8',
    'gain, unseen garments': '>= 0',
    'least gain of three kinds': '>= 0',
    'original first after the worst change without geometry': '>= 1',
    'original first after a crop of 70 %': '>= 0.9',
  },
  options: { pictures: 100 },
  size: ({ pictures }) => ({
    original: `400 pictures, ${pictures} queries`,
    least: '3 sets',
    '': '879 garments',
  }),
  measures: ofPictures,
  async run({ pictures }) {
    const garments = await garmentRows();
    const changes = await changeRows(pictures);
    const [histogram, thumbnail, shape, both] = garments;
    const styles = await weightRows('styles');
    const animals = await weightRows('cats_dogs');
    const lowest = (names: readonly string[]) =>
      Math.min(...changes.filter(({ change }) => names.includes(change)).map((row) => row['color_weight 0.5']));
    return {
      figures: {
        'precision, color_weight 0, unseen garments': shape!.unseen,
        'precision, times the better baseline': shape!.all / Math.max(histogram!.all, thumbnail!.all),
        'gain, unseen garments': both!.unseen - shape!.unseen,
        'least gain of three kinds': Math.min(
          ...[[shape!, both!], styles, animals].map(([alone, mixed]) => mixed!.unseen - alone!.unseen),
        ),
        'original first after the worst change without geometry': lowest(PLAIN),
        'original first after a crop of 70 %': lowest(['crop 70 %']),
      },
      tables: { garments, styles, 'cats and dogs': animals, changes },
    };
  },
});

async function garmentRows() {
  const paths = corpusPictures('clothing')!;
  const pictures = labelled(paths);
  const rasters = await Promise.all(paths.map((path) => rasterOf(sharp(path))));
  const histograms = rasters.map(colourHistogram);
  const thumbnails = await Promise.all(rasters.map(async (raster) => (await resized(raster, 9, 9)).rgb));
  const rowOf = (nearest: string, nearestOf: NearestOf) => ({ nearest, ...precision(pictures, nearestOf) });
  const square = (difference: number) => difference * difference;
  return [
    rowOf('histogram of 8 x 8 x 8 colours', nearestByDistance(histograms, Math.abs)),
    rowOf('thumbnail of 9 x 9 pixels', nearestByDistance(thumbnails, square)),
    ...(await weightRows('clothing')),
  ];
}

/** The precision of the service, a row for each weight. */
async function weightRows(folder: string) {
  const paths = corpusPictures(folder)!;
  const dnas = await dnasOf(TYPE, paths, 'query');
  const partition = partitionOf(TYPE, dnas);
  return WEIGHTS.map((colorWeight) => {
    const nearestOf = (picture: number) => [
      ...partition.rank(dnas[picture]!, null, { below: 1, most: dnas.length }, { colorWeight }).images,
    ];
    return { nearest: `color_weight ${colorWeight}`, ...precision(labelled(paths), nearestOf) };
  });
}

async function changeRows(pictures: number) {
  const paths = corpusPictures('photos')!;
  const partition = partitionOf(TYPE, await dnasOf(TYPE, paths, 'query'));
  const chosen = shuffled(randomFor('duplicates', SEED), [...paths.keys()]).slice(0, pictures);
  const rows = [];
  for (const change of [...PLAIN, ...GEOMETRY]) {
    const files: string[] = [];
    for (const i of chosen) files.push((await attackedFile(paths[i]!, attackNamed(change), paths, SEED)).path);
    const queries = await dnasOf(TYPE, files, 'query');
    const first = (colorWeight: number) =>
      share([...queries.entries()], ([k, query]) => {
        return partition.rank(query, null, { below: 1, most: 1 }, { colorWeight }).images[0] === chosen[k];
      });
    rows.push({ change, 'color_weight 0': first(0), 'color_weight 0.5': first(0.5), 'color_weight 1': first(1) });
  }
  return rows;
}
