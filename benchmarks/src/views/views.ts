import { basename, join } from 'node:path';
import { describeAll } from '@sosia/testing/describing/describing';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { sharpOf } from '@sosia/testing/pictures/raster';
import { collage, strongAttacks } from '@sosia/testing/pictures/strong-attacks';
import { partitionOfFiles } from '@sosia/testing/searching/partition';
import { isClaim, search, type Found } from '@sosia/testing/searching/search';
import { groupsOf, mean, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';

const TYPE = 'media-matching';
const NEGATIVE = 'negative';
/** Of other kinds than the references: portraits of one person in one room share what shows behind. */
const folders = ['posters', 'logos', 'cats_dogs'];
const nothing: Pick<Found, 'hits'> = { hits: [] };

interface Query {
  readonly path: string;
  readonly kind: string;
  readonly half: 'chosen' | 'unseen';
  /** The references that show. */
  readonly shown: readonly number[];
}

export default benchmark({
  title: 'Media Matching: small parts and strong views',
  kind: 'accuracy',
  about:
    'Photographs under attacks that leave a small part or change all features; pictures that show none. "Decided": first in the list, as Match or Clone. Unseen half.',
  missing: missingCorpora('photos', 'photos_small', ...folders),
  targets: {
    'crop 10 %: decided': '>= 0.95',
    'crop 5 %: decided': '>= 0.7',
    'meme over 40 %: decided': '>= 0.95',
    'paste 2 %: decided': '>= 0.9',
    'tilt 60: decided': '>= 0.8',
    'stretch 2.2: decided': '>= 0.9',
    'half in strips: decided': '>= 0.6',
    'inverted: decided': '>= 0.97',
    'collage: decided': '>= 0.9',
    'negatives claimed': '<= 2',
  },
  options: { pictures: 40 },
  size: ({ pictures }) => ({ negatives: '500 queries', collage: '8 collages', '': `${pictures} queries a kind` }),
  measures: ofPictures,
  run: ({ pictures }) =>
    inTemporaryFolder(async (folder) => {
      const [photos, small] = [order('photos'), order('photos_small')];
      const references = [...photos.slice(0, 300), ...small.slice(0, 150)];
      const partition = await partitionOfFiles(TYPE, references);
      const queries = [
        ...(await copies(references, photos.slice(300), pictures, folder)),
        ...[...photos.slice(300), ...folders.flatMap((folder) => order(folder).slice(0, 300))].map(
          (path, i): Query => ({ path, kind: NEGATIVE, half: i % 2 ? 'unseen' : 'chosen', shown: [] }),
        ),
      ];
      const described = await describeAll(queries.map(({ path }) => ({ path, type: TYPE, side: 'query' })));
      const answered = [];
      for (const [i, { dna }] of described.entries())
        answered.push({ ...queries[i]!, ...(dna ? await search(partition, dna) : nothing) });
      return figuresOf(answered);
    }),
});

/** The pictures of a folder by chance, always the same. */
export function order(folder: string): string[] {
  return shuffled(randomFor('views', folder), corpusPictures(folder)!);
}

/** Halves by picture, by host and by seed. */
export async function copies(
  references: readonly string[],
  hosts: readonly string[],
  pictures: number,
  folder: string,
) {
  const queries: Query[] = [];
  for (const [seed, half] of (['chosen', 'unseen'] as const).entries()) {
    const own = [...references.keys()].slice(0, 300).filter((image) => image % 2 === seed);
    const behind = hosts.filter((_, i) => i % 2 === seed);
    for (const attack of strongAttacks)
      for (const image of shuffled(randomFor(attack.name, seed), own).slice(0, pictures)) {
        const { path } = await attackedFile(references[image]!, attack, behind, seed);
        queries.push({ path, kind: attack.name, half, shown: [image] });
      }
    for (let i = 0; i < pictures / 5; i++) {
      const shown = shuffled(randomFor('collage', seed, i), own).slice(0, 16);
      const path = join(folder, `${half}-${i}.jpg`);
      await sharpOf(await collage(shown.map((image) => references[image]!)))
        .jpeg({ quality: 90 })
        .toFile(path);
      queries.push({ path, kind: 'collage', half, shown });
    }
  }
  return queries;
}

function figuresOf(answered: readonly (Query & Pick<Found, 'hits'>)[]) {
  const wrong = answered.filter(({ hits, shown }) => hits.some((hit) => isClaim(hit) && !shown.includes(hit.image)));
  const rows = [...groupsOf(answered, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    [...groupsOf(ofKind, ({ half }) => half)].map(([half, queries]) => {
      const places = queries.flatMap(({ shown, hits }) =>
        shown.map((image) => (shown.length > 1 ? hits : hits.slice(0, 1)).find((hit) => hit.image === image)),
      );
      const claimed = wrong.filter((query) => query.kind === kind && query.half === half).length;
      return {
        kind,
        half,
        queries: queries.length,
        found: share(places, Boolean),
        decided: share(places, isClaim),
        claimed,
      };
    }),
  );
  const unseen = rows.filter(({ kind, half }) => kind !== NEGATIVE && half === 'unseen');
  return {
    figures: {
      ...Object.fromEntries(unseen.map(({ kind, decided }) => [`${kind}: decided`, decided])),
      'found, mean': mean(unseen.map(({ found }) => found)),
      'decided, mean': mean(unseen.map(({ decided }) => decided)),
      'negatives claimed': wrong.filter(({ kind }) => kind === NEGATIVE).length,
    },
    tables: {
      kinds: rows.map(({ claimed, ...row }) => ({ ...row, 'another claimed': claimed })),
      'another claimed': wrong.map(({ path, kind }) => ({ query: basename(path), kind })),
    },
  };
}
