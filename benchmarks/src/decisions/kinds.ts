import { basename, join } from 'node:path';
import type { Attack } from '@sosia/testing/pictures/attack';
import { attackNamed } from '@sosia/testing/pictures/attacks';
import { documentKinds, documentOf } from '@sosia/testing/pictures/documents';
import { oneOf, randomFor } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf, type Raster } from '@sosia/testing/pictures/raster';
import { fromTemplate, halfReplaced, templates } from '@sosia/testing/pictures/templates';
import sharp from 'sharp';
import { type Half, halfOf } from '../harness/halves.ts';
import { captionBy, inAnotherBand, under } from './captions.ts';

/** A picture to search with. */
export interface Query {
  readonly kind: string;
  /** `copy`: the reference as a whole; `part`: it shows, but is not the whole; `other`: no reference shows. */
  readonly shows: 'copy' | 'part' | 'other';
  readonly path: string;
  /** The file of the reference that shows; of an `other` that is a reference itself, its own. */
  readonly own?: string;
}

/** The pictures of a half. */
export interface Pictures {
  readonly references: readonly string[];
  readonly queries: readonly Query[];
}

/** Edits of the whole under which a copy is a Clone. */
const easy = ['jpeg 8', 'half size', 'quarter size', 'blur 3', 'grey, gamma 1.8', 'brightness 0.6', 'brightness 1.4'];
/** Edits under which a copy is found, as a Match at least. */
export const hard = [
  'crop 50 %',
  'crop 20 %',
  'rotate 90',
  'mirrored',
  'border, text, contrast',
  'text overlay',
  'perspective',
];
/** How kinds of documents begin. */
export const DOCUMENT = 'document: ';
export const pasted = ['paste 10 %', 'scene 20 %', 'screenshot'];
/** Pictures that resemble others of the same folder without being copies. */
const products = {
  'film posters': ['posters'],
  garments: ['clothing'],
  packshots: ['covers/reference', 'covers/distractor', 'shelves/reference'],
};

/** Other pictures under the same words, in the same band and in another one. */
export const captions = { same: 'under the same caption', other: 'under the caption in another band' };

/** Makes the pictures of a half. @param folder  where to write them  @param size  templates of a kind */
export async function picturesOf(half: Half, size: number, folder: string): Promise<Pictures> {
  const photographs = halfOf(half, 'photos');
  // each photograph occurs in one template only and is not stored: a picture found by what it shows would be no false match
  const contents = [
    ...photographs.slice(5 * size + 1),
    ...['photos_small', 'cats_dogs', 'styles'].flatMap((name) => halfOf(half, name)),
  ];
  const references: string[] = [];
  const queries: Query[] = [];
  const written = async (name: string, picture: Raster): Promise<string> => {
    const path = join(folder, `${half} ${name}.png`);
    await sharpOf(picture).png({ compressionLevel: 1 }).toFile(path);
    return path;
  };
  const attacked = async (own: string, attack: Attack): Promise<string> => {
    const random = randomFor('decisions', half, basename(own), attack.name);
    const host = await rasterOf(sharp(photographs[5 * size]));
    const path = join(folder, `${half} ${basename(own)} ${attack.name.replace('%', '')}`);
    const { picture } = await attack.apply(await rasterOf(sharp(own)), { random, host });
    await attack.encode(sharpOf(picture)).toFile(path);
    return path;
  };
  const copied = async (kind: string, own: string): Promise<void> => {
    const edit = oneOf(randomFor('easy', half, basename(own)), easy);
    queries.push({ kind, shows: 'copy', path: await attacked(own, attackNamed(edit)), own });
  };
  const photograph = (): Promise<Raster> => rasterOf(sharp(contents.shift()));

  for (const kind of Object.keys(templates)) {
    for (let number = 0; number < size; number++) {
      const drawn = async (content: string) =>
        written(
          `${kind} ${number} ${content}`,
          await fromTemplate(kind, `${half} ${number}`, content, await photograph()),
        );
      const own = await drawn('a');
      references.push(own);
      queries.push({ kind, shows: 'other', path: await drawn('b') });
      await copied(kind, own);
    }
  }
  for (const name of documentKinds)
    for (let number = 0; number < size; number++) {
      const drawn = async (entries: string) =>
        written(`${name} ${number} entries ${entries}`, await documentOf(name, `${half} ${number}`, entries));
      const own = await drawn('a');
      references.push(own);
      queries.push({ kind: `${DOCUMENT}${name}`, shows: 'other', path: await drawn('b') });
      await copied(`${DOCUMENT}${name}`, own);
    }
  for (let number = 0; number < size; number++) {
    const random = randomFor('captions', half, number);
    const caption = captionBy(random);
    const drawn = async (content: string, band = caption): Promise<string> => {
      const path = join(folder, `${half} caption ${number} ${content}.jpg`);
      await (await under(band, contents.shift()!)).jpeg({ quality: 85 }).toFile(path);
      return path;
    };
    for (const content of ['a', 'b']) {
      const own = await drawn(content);
      references.push(own);
      await copied(captions.same, own);
    }
    queries.push({ kind: captions.same, shows: 'other', path: await drawn('c') });
    for (const content of ['d', 'e'])
      queries.push({
        kind: captions.other,
        shows: 'other',
        path: await drawn(content, inAnotherBand(caption, random)),
      });
  }
  const stored = photographs.slice(0, 5 * size);
  for (const own of stored) {
    references.push(own);
    await copied('photographs', own);
  }
  for (const name of [...hard, ...pasted])
    for (const own of stored.slice(0, size))
      queries.push({ kind: name, shows: 'part', path: await attacked(own, attackNamed(name)), own });
  for (const [i, own] of stored.slice(0, 2 * size).entries()) {
    const picture = await halfReplaced(randomFor('half', half, i), await rasterOf(sharp(own)), await photograph());
    queries.push({ kind: 'half replaced', shows: 'part', path: await written(`half replaced ${i}`, picture), own });
  }
  for (const [kind, folders] of Object.entries(products)) {
    const all = folders.flatMap((folder) => halfOf(half, folder));
    references.push(...all);
    queries.push(...all.map((own): Query => ({ kind, shows: 'other', path: own, own })));
    for (const own of all.slice(0, 2 * size)) await copied(kind, own);
  }
  return { references, queries };
}
