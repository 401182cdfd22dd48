import { basename } from 'node:path';
import { corpusPictures, corpusTable } from '@sosia/testing/pictures/corpus';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';
import { dnasOf, partitionOfFiles } from '@sosia/testing/searching/partition';
import { isClaim, search, type Hit } from '@sosia/testing/searching/search';
import { otherPrints, shownToo } from '@sosia/testing/pictures/covers';

const TYPE = 'mobile-matching';

/** A phone photograph of a cover. */
interface Photograph {
  readonly name: string;
  readonly camera: string;
  /** The names of the pictures that are found as Match or Clone: of the first hit, and of all. */
  readonly first: string | null;
  readonly claims: readonly string[];
  readonly cover: string;
}

export default benchmark({
  title: 'Mobile Matching: photographs of covers',
  kind: 'accuracy',
  about:
    '200 phone photographs of 50 covers, among these, 150 other covers and 400 photographs. "Right": the cover is at rank 1 as Match or Clone. "Not shown": another picture is claimed too, though no part of it is in the photograph.',
  missing: missingCorpora('covers', 'photos'),
  targets: {
    right: '>= 0.97',
    'right, worst camera': '>= 0.93',
    'photographs with a claim that is not shown': '<= 0.01',
  },
  options: {},
  async run() {
    const references = ['covers/reference', 'covers/distractor', 'photos'].flatMap((folder) => corpusPictures(folder)!);
    const partition = await partitionOfFiles(TYPE, references);
    const paths = corpusPictures('covers/query')!;
    const queries = await dnasOf(TYPE, paths, 'query');
    const truth = Object.entries(corpusTable('covers/groundtruth.json') as Record<string, string>);
    const covers = new Map(truth.map(([query, cover]) => [basename(query, '.jpg'), basename(cover, '.jpg')]));
    const nameOf = ({ image }: Hit) => basename(references[image]!, '.jpg');

    const photographs: Photograph[] = [];
    for (const [i, query] of queries.entries()) {
      const name = basename(paths[i]!, '.jpg');
      const { hits } = await search(partition, query);
      const first = isClaim(hits[0]) ? nameOf(hits[0]) : null;
      const claims = hits.filter(isClaim).map(nameOf);
      photographs.push({ name, camera: name.split('_')[0]!, cover: covers.get(name)!, first, claims });
    }
    const rows = [...groupsOf(photographs, ({ camera }) => camera)].map(([camera, group]) => rowOf(camera, group));
    const all = rowOf('all', photographs);
    return {
      figures: {
        right: all.right,
        'right, worst camera': Math.min(...rows.map(({ right }) => right)),
        'right, where a twin of the cover counts': all['right or twin'],
        'photographs with a claim that is not shown': all['not shown'],
      },
      tables: {
        cameras: [...rows, all],
        'claimed and not shown': photographs.flatMap((one) =>
          notShown(one).map((claimed) => ({ query: one.name, claimed })),
        ),
      },
    };
  },
});

function rowOf(camera: string, photographs: readonly Photograph[]) {
  return {
    camera,
    photographs: photographs.length,
    right: share(photographs, ({ first, cover }) => first === cover),
    'right or twin': share(
      photographs,
      ({ first, cover }) => first && [cover, otherPrints.get(cover)?.twin].includes(first),
    ),
    'another claimed': share(photographs, (one) => one.claims.some((name) => name !== one.cover)),
    'not shown': share(photographs, (one) => notShown(one).length > 0),
  };
}

/** Claims of pictures of which no part is in the photograph. */
function notShown({ name, cover, claims }: Photograph): string[] {
  const { twin, relative } = otherPrints.get(cover) ?? {};
  const known = [cover, twin, relative, ...(shownToo.get(name) ?? [])];
  return claims.filter((claim) => !known.includes(claim));
}
