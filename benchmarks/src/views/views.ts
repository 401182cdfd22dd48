import { basename, join } from 'node:path';
import { describeAll } from '@sosia/testing/describing/describing';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { hidingAttacks } from '@sosia/testing/pictures/hiding-attacks';
import { blended, chained, montage } from '@sosia/testing/pictures/mixed-attacks';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf, type Raster } from '@sosia/testing/pictures/raster';
import { collage, strongAttacks } from '@sosia/testing/pictures/strong-attacks';
import { partitionOfFiles } from '@sosia/testing/searching/partition';
import { isMatch, search, type Found } from '@sosia/testing/searching/search';
import { averagePrecision, groupsOf, mean, recallsOf, share } from '@sosia/testing/statistics';
import sharp from 'sharp';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';

const TYPE = 'media-matching';
const NEGATIVE = 'negative';
/** Of other kinds than the references: portraits of one person in one room share what shows behind. */
const folders = ['posters', 'logos', 'cats_dogs'];
const nothing: Pick<Found, 'hits'> = { hits: [] };
export const chains = [chained(2), chained(3)];
/** Attacks of which the decision learns, too. */
export const learned = [...strongAttacks, ...hidingAttacks];
/** Pictures that are no references under the same chain, for each query under a chain. */
const DISTRACTORS = 4;

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
  about: 'Strong edits and chains: at rank 1 as Match or Clone. Unseen half.',
  missing: missingCorpora('photos', 'photos_small', ...folders),
  targets: {
    'crop 10 %': '>= 0.95',
    'crop 5 %': '>= 0.7',
    'meme over 40 %': '>= 0.95',
    'paste 2 %': '>= 0.9',
    'tilt 60': '>= 0.8',
    'stretch 2.2': '>= 0.9',
    'half in strips': '>= 0.6',
    inverted: '>= 0.97',
    collage: '>= 0.9',
    'centre hidden': '>= 0.95',
    'caption over 40 %': '>= 0.93',
    'band of glare': '>= 0.9',
    stickers: '>= 0.95',
    'tone mapping': '>= 0.92',
    montage: '>= 0.7',
    'chain of 3': '>= 0.85',
    'chains: average precision': '>= 0.92',
    'blend of two': '>= 0.8',
    'negatives matched': '<= 2',
  },
  options: { pictures: 40 },
  size: ({ pictures }) => ({
    negatives: `${500 + 2 * pictures * DISTRACTORS} queries`,
    collage: '8 collages',
    'blend of two': `${pictures / 2} blends`,
    chains: `${2 * pictures} queries, ${2 * pictures * DISTRACTORS} that show none`,
    '': `${pictures} queries a kind`,
  }),
  measures: ofPictures,
  run: ({ pictures }) =>
    inTemporaryFolder(async (folder) => {
      const [photos, small] = [order('photos'), order('photos_small')];
      const references = [...photos.slice(0, 300), ...small.slice(0, 150)];
      const partition = await partitionOfFiles(TYPE, references);
      const queries = [
        ...(await copies(references, photos.slice(300), pictures, folder, [...learned, montage, ...chains])),
        ...(await distractors(photos.slice(300), pictures)),
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
  attacks = strongAttacks,
) {
  const queries: Query[] = [];
  for (const [seed, half] of (['chosen', 'unseen'] as const).entries()) {
    const own = [...references.keys()].slice(0, 300).filter((image) => image % 2 === seed);
    const behind = hosts.filter((_, i) => i % 2 === seed);
    for (const attack of attacks)
      for (const image of shuffled(randomFor(attack.name, seed), own).slice(0, pictures)) {
        const { path } = await attackedFile(references[image]!, attack, behind, seed);
        queries.push({ path, kind: attack.name, half, shown: [image] });
      }
    const written = async (kind: string, i: number, shown: readonly number[], picture: Raster): Promise<void> => {
      const path = join(folder, `${half}-${kind}-${i}.jpg`);
      await sharpOf(picture).jpeg({ quality: 90 }).toFile(path);
      queries.push({ path, kind, half, shown });
    };
    for (let i = 0; i < pictures / 5; i++) {
      const shown = shuffled(randomFor('collage', seed, i), own).slice(0, 16);
      await written('collage', i, shown, await collage(shown.map((image) => references[image]!)));
    }
    const pairs = shuffled(randomFor('blend', seed), own);
    for (let i = 0; i < pictures / 2; i++) {
      const shown = pairs.slice(2 * i, 2 * i + 2);
      const [one, other] = await Promise.all(shown.map((image) => rasterOf(sharp(references[image]))));
      await written('blend of two', i, shown, await blended(one!, other!));
    }
  }
  return queries;
}

/** Other pictures under the chains of the unseen half. */
async function distractors(hosts: readonly string[], pictures: number): Promise<Query[]> {
  const others = folders.flatMap((folder) => order(folder).slice(300)).concat(order('photos_small').slice(150));
  const paths = shuffled(randomFor('distractors'), others).values();
  const queries: Query[] = [];
  for (const attack of chains)
    for (let i = 0; i < DISTRACTORS * pictures; i++) {
      const { path } = await attackedFile(paths.next().value!, attack, hosts, 1);
      queries.push({ path, kind: `${attack.name}, ${NEGATIVE}`, half: 'unseen', shown: [] });
    }
  return queries;
}

function figuresOf(answered: readonly (Query & Pick<Found, 'hits'>)[]) {
  const wrong = answered.filter(({ hits, shown }) => hits.some((hit) => isMatch(hit) && !shown.includes(hit.image)));
  const rows = [...groupsOf(answered, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    [...groupsOf(ofKind, ({ half }) => half)].map(([half, queries]) => {
      const places = queries.flatMap(({ shown, hits }) =>
        shown.map((image) => (shown.length > 1 ? hits : hits.slice(0, 1)).find((hit) => hit.image === image)),
      );
      const falseMatches = wrong.filter((query) => query.kind === kind && query.half === half).length;
      return {
        kind,
        half,
        queries: queries.length,
        found: share(places, Boolean),
        decided: share(places, isMatch),
        falseMatches,
      };
    }),
  );
  const unseen = rows.filter(({ kind, half }) => !kind.endsWith(NEGATIVE) && half === 'unseen');
  const inChains = answered.filter(({ kind, half }) => kind.startsWith('chain') && half === 'unseen');
  const positives = inChains.filter(({ shown }) => shown.length > 0).length;
  const scored = inChains.flatMap(({ hits, shown }) =>
    hits.map(({ score, image }) => ({ score, right: shown.includes(image) })),
  );
  return {
    figures: {
      ...Object.fromEntries(unseen.map(({ kind, decided }) => [kind, decided])),
      'found, mean': mean(unseen.map(({ found }) => found)),
      'decided, mean': mean(unseen.map(({ decided }) => decided)),
      'chains: average precision': averagePrecision(scored, positives),
      ...Object.fromEntries(
        Object.entries(recallsOf(scored, positives)).map(([recall, value]) => [`chains: ${recall}`, value]),
      ),
      'negatives matched': wrong.filter(({ kind }) => kind.endsWith(NEGATIVE)).length,
    },
    tables: {
      kinds: rows.map(({ falseMatches, ...row }) => ({ ...row, 'another matched': falseMatches })),
      'another matched': wrong.map(({ path, kind }) => ({ query: basename(path), kind })),
    },
  };
}
