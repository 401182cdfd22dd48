import { embeddingOf, profileScoreOf, shippedProfiles } from '@sosia/engine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { pictureOf, type Raster, rasterOf } from '@sosia/testing/pictures/raster';
import { mean, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { pageKinds, pageOf } from '@sosia/testing/pictures/pages';

/** Pictures that no shipped profile was trained on: the test halves, and of `photos` every other picture. */
const kinds = [
  { name: 'photographs: styles', folder: 'styles/test/photo', photograph: 'yes' },
  { name: 'photographs: photos', folder: 'photos', photograph: 'yes', step: 2 },
  { name: 'photographs: cats and dogs', folder: 'cats_dogs/test', photograph: 'yes' },
  { name: 'photographs: studio pictures of clothing', folder: 'clothing/test', photograph: 'yes' },
  { name: 'cartoons', folder: 'styles/test/cartoon', photograph: 'no' },
  { name: 'sketches', folder: 'styles/test/sketch', photograph: 'no' },
  { name: 'paintings', folder: 'styles/test/art_painting', photograph: 'no' },
  { name: 'covers of films', folder: 'covers/reference', photograph: '–' },
];
/** Most pictures of a kind. */
const MOST = 100;
/** Pages drawn of a kind. */
const PAGES = 40;

export interface ShippedRow {
  readonly [column: string]: string | number;
  readonly kind: string;
  /** Whether the pictures are photographs or documents: `yes`, `no`, or `–` where the answer is open. */
  readonly photograph: string;
  readonly document: string;
}

/** Which share of each kind the shipped profiles accept. */
export async function shippedRows(): Promise<ShippedRow[]> {
  const rows: ShippedRow[] = [];
  for (const { name, folder, photograph, step = 1 } of kinds) {
    const open = corpusPictures(folder)!.filter((_, i) => i % step === step - 1);
    const paths = open.filter((_, i) => i % Math.ceil(open.length / MOST) === 0);
    rows.push({
      kind: name,
      pictures: paths.length,
      photograph,
      document: 'no',
      ...(await accepted(paths.map(opened))),
    });
  }
  const grounds = corpusPictures('photos')!.filter((_, i) => i % 2 === 1);
  for (const kind of Object.keys(pageKinds) as (keyof typeof pageKinds)[]) {
    const pages = Array.from({ length: PAGES }, async (_, i) =>
      pageOf(kind, i, await opened(grounds[(i * 37) % grounds.length]!)),
    );
    const document = kind.includes('15 %') ? 'no' : 'yes';
    rows.push({ kind, pictures: PAGES, photograph: '–', document, ...(await accepted(pages)) });
  }
  return rows;
}

/** The mean over the kinds that are of the class and the mean over those that are not, each kind counting once. */
export function balancedAccuracy(rows: readonly ShippedRow[], of: 'photograph' | 'document'): number {
  const accepted = (truth: string) =>
    mean(rows.filter((row) => row[of] === truth).map((row) => Number(row[`accepted as ${of}`])));
  return (accepted('yes') + 1 - accepted('no')) / 2;
}

function opened(path: string): Promise<Raster> {
  return rasterOf(sharp(path));
}

async function accepted(pictures: readonly Promise<Raster>[]) {
  const embeddings = (await Promise.all(pictures)).map((raster) => embeddingOf(pictureOf(raster)));
  const [photograph, document] = shippedProfiles().map((profile) =>
    share(embeddings, (embedding) => profileScoreOf(profile, embedding) > 0),
  );
  return { 'accepted as photograph': photograph!, 'accepted as document': document! };
}
