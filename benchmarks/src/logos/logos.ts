import { join } from 'node:path';
import { corporaFolder, corpusTable } from '@sosia/testing/pictures/corpus';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';
import { dnasOf, partitionOfFiles } from '@sosia/testing/searching/partition';
import { alarmScore, isClaim, search, type Hit } from '@sosia/testing/searching/search';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { cutOut } from '@sosia/testing/pictures/logos';

const TYPE = 'brand-monitoring';
const ALARMS = 0.03;

interface Scene {
  /** null for a scene without a logo. */
  readonly brand: string | null;
  readonly first: Hit | undefined;
  readonly right: boolean;
}

export default benchmark({
  title: 'Brand monitoring: logos in scenes',
  kind: 'accuracy',
  about:
    'Logos cut out of training pictures are searched for in 70 held-out scenes with a logo and 68 without. "Found": the right brand is at rank 1, with a score that at most 3 % of the scenes without a logo get below.',
  missing: missingCorpora('logos'),
  targets: { found: '>= 0.75' },
  options: {},
  run: () =>
    inTemporaryFolder(async (folder) => {
      const logos = await cutOut(folder);
      const partition = await partitionOfFiles(
        TYPE,
        logos.map(({ path }) => path),
      );
      const truth = Object.entries(corpusTable('logos/query_brands.json') as Record<string, string | null>);
      const paths = truth.map(([name]) => join(corporaFolder, 'logos', name));
      const queries = await dnasOf(TYPE, paths, 'query');
      const scenes: Scene[] = [];
      for (const [i, query] of queries.entries()) {
        const brand = truth[i]![1];
        const [first] = (await search(partition, query)).hits;
        scenes.push({ brand, first, right: first !== undefined && logos[first.image]!.brand === brand });
      }

      const shown = scenes.filter(({ brand }) => brand !== null);
      const empty = scenes.filter(({ brand }) => brand === null);
      const best = empty.map(({ first }) => first?.score ?? 1);
      const alarm = alarmScore(best, ALARMS);
      const rowOf = (brand: string, of: readonly Scene[]) => ({
        brand,
        scenes: of.length,
        'rank 1': share(of, ({ right }) => right),
        found: share(of, ({ right, first }) => right && first!.score < alarm),
        Match: share(of, ({ right, first }) => right && isClaim(first)),
      });
      const all = rowOf('all', shown);
      return {
        figures: {
          references: partition.count,
          found: all.found,
          'right brand at rank 1, with any score': all['rank 1'],
          'right brand at rank 1 as Match': all.Match,
          'scenes without a logo with a Match': empty.filter(({ first }) => isClaim(first)).length,
        },
        tables: {
          brands: [...[...groupsOf(shown, ({ brand }) => brand!)].sort().map(([brand, of]) => rowOf(brand, of)), all],
        },
      };
    }),
});
