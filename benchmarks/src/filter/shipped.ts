import { embeddingOf, profileScoreOf, shippedProfiles } from '@sosia/engine';
import sharp from 'sharp';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { rasterOf, type Raster } from '@sosia/testing/pictures/raster';
import { figure, table } from '@sosia/testing/table';
import { pageKinds, pageOf } from './pages.ts';

/** What nothing shipped has learnt from: the test halves, and of `photos` every other picture. */
const kinds = [
  { name: 'photographs: styles', folder: 'styles/test/photo', photograph: true },
  { name: 'photographs: photos', folder: 'photos', photograph: true, step: 2 },
  { name: 'photographs: cats and dogs', folder: 'cats_dogs/test', photograph: true },
  { name: 'photographs: studio pictures of clothing', folder: 'clothing/test', photograph: true },
  { name: 'cartoons', folder: 'styles/test/cartoon', photograph: false },
  { name: 'sketches', folder: 'styles/test/sketch', photograph: false },
  { name: 'paintings', folder: 'styles/test/art_painting', photograph: false },
  { name: 'covers of films', folder: 'covers/reference' },
] as const;
/** Most pictures of a kind. */
const MOST = 100;
/** Pages drawn of a kind. */
const PAGES = 40;

/** Which share of each kind the shipped profiles take for what they are about. */
export async function shipped(): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const { name, folder, ...told } of kinds) {
    const paths = corpusPictures(folder);
    if (!paths) continue;
    const open = 'step' in told ? paths.filter((_, i) => i % told.step === 1) : paths;
    const chosen = open.filter((_, i) => i % Math.ceil(open.length / MOST) === 0);
    const pictures = chosen.map((path) => () => rasterOf(sharp(path)));
    rows.push([name, pictures.length, expected(told), 'no', ...(await shares(pictures))]);
  }
  const grounds = corpusPictures('photos')?.filter((_, i) => i % 2 === 1);
  for (const kind of grounds ? (Object.keys(pageKinds) as (keyof typeof pageKinds)[]) : []) {
    const pictures = Array.from({ length: PAGES }, (_, i) => async () => {
      return pageOf(kind, i, await rasterOf(sharp(grounds![(i * 37) % grounds!.length]!)));
    });
    rows.push([kind, PAGES, '–', kind.includes('15 %') ? 'no' : 'yes', ...(await shares(pictures))]);
  }
  return table(
    ['held out', 'pictures', 'photograph?', 'document?', 'taken for a photograph', 'taken for a document'],
    rows,
  );
}

function expected(told: object): string {
  return 'photograph' in told ? (told.photograph ? 'yes' : 'no') : '–';
}

async function shares(pictures: readonly (() => Promise<Raster>)[]): Promise<string[]> {
  const counts = shippedProfiles().map(() => 0);
  for (const picture of pictures) {
    const { width, height, rgb } = await picture();
    const looks = embeddingOf({ width, height, rgb, originalWidth: width, originalHeight: height });
    shippedProfiles().forEach((profile, i) => (counts[i]! += profileScoreOf(profile, looks) > 0 ? 1 : 0));
  }
  return counts.map((count) => figure(count / pictures.length, 2));
}
