import { join } from 'node:path';
import { corporaFolder, corpusTable } from '@sosia/testing/pictures/corpus';
import { printsShownIn } from '@sosia/testing/pictures/covers';
import { pageKinds, pageOf } from '@sosia/testing/pictures/pages';
import { rasterOf, sharpOf, type Raster } from '@sosia/testing/pictures/raster';
import { framedTemplates, fromTemplate, templates } from '@sosia/testing/pictures/templates';
import sharp from 'sharp';
import { type Half, halfOf, halves } from '../harness/halves.ts';

/** A picture that shows no other one of the set, but for those with a common content. */
export interface Negative {
  readonly kind: string;
  readonly path: string;
  /** Names of what it shows: a photograph, a print, a brand. Matches between pictures with a common name do not count. */
  readonly shows: readonly string[];
}

const kindsOfFolders = {
  photographs: ['photos', 'cats_dogs'],
  'one person or object again': ['photos_small', 'styles/train/photo', 'styles/test/photo'],
  drawings: ['art_painting', 'cartoon', 'sketch'].flatMap((style) => [`styles/train/${style}`, `styles/test/${style}`]),
  'film posters': ['posters'],
  garments: ['clothing'],
  packshots: ['covers/reference', 'covers/distractor', 'shelves/reference'],
  'scenes with logos': ['logos/training', 'logos/query'],
};
/** Of these templates no photograph is the content. */
const entries = Object.keys(templates).filter((kind) => !framedTemplates.includes(kind));

/** The pictures of a half. @param folder  where drawn ones are written  @param size  drawn pictures of a family */
export async function negativesOf(half: Half, size: number, folder: string): Promise<Negative[]> {
  const negatives = Object.entries(kindsOfFolders).flatMap(([kind, folders]) =>
    folders.flatMap((from) => halfOf(half, from).map((path) => ({ kind, path, shows: [...shownIn(path), path] }))),
  );
  const photographs = halfOf(half, 'photos');
  const draw = async (kind: string, name: string, picture: (photograph: Raster) => Promise<Raster>): Promise<void> => {
    const photograph = photographs[negatives.length % photographs.length]!;
    const path = join(folder, `${half} ${name}.png`.replaceAll('%', ''));
    await sharpOf(await picture(await rasterOf(sharp(photograph))))
      .png({ compressionLevel: 1 })
      .toFile(path);
    negatives.push({ kind, path, shows: [path, photograph] });
  };
  for (let number = 0; number < size; number++) {
    for (const name of Object.keys(templates))
      for (const content of ['a', 'b']) {
        const kind = entries.includes(name) ? 'forms and charts' : 'frames';
        await draw(kind, `${name} ${number} ${content}`, (photograph) =>
          fromTemplate(name, `${half} ${number}`, content, photograph),
        );
      }
    for (const name of Object.keys(pageKinds) as (keyof typeof pageKinds)[]) {
      const own = 2 * number + halves.indexOf(half);
      await draw('text', `${name} ${own}`, (photograph) => pageOf(name, own, photograph));
    }
  }
  return negatives;
}

/** Photographs of prints, for Mobile Matching. */
export function phonePhotographs(half: Half): Negative[] {
  return halfOf(half, 'covers/query').map((path) => ({
    kind: 'phone photographs of prints',
    path,
    shows: [path, ...shownIn(path)],
  }));
}

const brands: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(corpusTable('logos/query_brands.json') as Record<string, string | null>).map(
    ([name, brand]): [string, string[]] => [name, brand ? [brand] : []],
  ),
  ...Object.entries(corpusTable('logos/training_boxes.json') as Record<string, { brand: string }[]>).map(
    ([name, boxes]): [string, string[]] => [name, boxes.map(({ brand }) => brand)],
  ),
]);

/** The brand or the print that a picture of the corpora shows, as far as another one may show it too. */
function shownIn(path: string): string[] {
  const name = path.slice(corporaFolder.length);
  if (name.startsWith('logos/')) return [...(brands.get(name.slice('logos/'.length)) ?? [])];
  return printsShownIn(path);
}
