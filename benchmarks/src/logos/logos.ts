import { join } from 'node:path';
import { corporaFolder, corpusTable } from '@sosia/testing/pictures/corpus';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora } from '../harness/benchmark.ts';
import { dnasOf, partitionOfFiles } from '@sosia/testing/searching/partition';
import { alarmScore, isMatch, search, type Hit } from '@sosia/testing/searching/search';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { cutOut, drawn, type Logo } from '@sosia/testing/pictures/logos';

const TYPE = 'brand-monitoring';
const ALARMS = 0.03;

interface Scene {
  /** null for a scene without a logo. */
  readonly brand: string | null;
  readonly first: Hit | undefined;
  readonly right: boolean;
  /** Another brand is matched. */
  readonly other: boolean;
}

export default benchmark({
  title: 'Brand monitoring: logos in scenes',
  kind: 'accuracy',
  about: 'Held-out scenes. "Found": at rank 1, at 3 % false positives among others.',
  missing: missingCorpora('logos'),
  targets: {
    found: '>= 0.8',
    'by one drawing a brand': '>= 0.6',
    'another brand matched': '<= 0.05',
  },
  options: {},
  size: () => ({ another: '70 scenes', '': '70 scenes, 68 without' }),
  measures: ofPictures,
  run: () =>
    inTemporaryFolder(async (folder) => {
      const logos = await cutOut(folder);
      const truth = Object.entries(corpusTable('logos/query_brands.json') as Record<string, string | null>);
      const paths = truth.map(([name]) => join(corporaFolder, 'logos', name));
      const queries = await dnasOf(TYPE, paths, 'query');
      const brands = truth.map(([, brand]) => brand);
      const scenes = await searched(logos, queries, brands);
      const byDrawing = await searched(await drawn(logos, folder), queries, brands);

      const shown = scenes.filter(({ brand }) => brand !== null);
      const empty = scenes.filter(({ brand }) => brand === null);
      const best = empty.map(({ first }) => first?.score ?? 1);
      const alarm = alarmScore(best, ALARMS);
      const rowOf = (brand: string, of: readonly Scene[]) => ({
        brand,
        scenes: of.length,
        'rank 1': share(of, ({ right }) => right),
        found: share(of, ({ right, first }) => right && first!.score < alarm),
        Match: share(of, ({ right, first }) => right && isMatch(first)),
      });
      const all = rowOf('all', shown);
      return {
        figures: {
          references: logos.length,
          found: all.found,
          'right brand at rank 1, with any score': all['rank 1'],
          'right brand at rank 1 as Match': all.Match,
          'by one drawing a brand': share(
            byDrawing.filter(({ brand }) => brand !== null),
            ({ right, first }) => right && isMatch(first),
          ),
          'another brand matched': share(shown, ({ other }) => other),
          'scenes without a logo with a Match': empty.filter(({ first }) => isMatch(first)).length,
        },
        tables: {
          brands: [...[...groupsOf(shown, ({ brand }) => brand!)].sort().map(([brand, of]) => rowOf(brand, of)), all],
        },
      };
    }),
});

async function searched(logos: readonly Logo[], queries: readonly Uint8Array[], brands: readonly (string | null)[]) {
  const partition = await partitionOfFiles(
    TYPE,
    logos.map(({ path }) => path),
  );
  const scenes: Scene[] = [];
  for (const [i, query] of queries.entries()) {
    const { hits } = await search(partition, query);
    const [first] = hits;
    const isRight = ({ image }: Hit) => logos[image]!.brand === brands[i];
    const other = hits.some((hit) => isMatch(hit) && !isRight(hit));
    scenes.push({ brand: brands[i]!, first, right: first !== undefined && isRight(first), other });
  }
  return scenes;
}
