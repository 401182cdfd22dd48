import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AtOnce, recipes } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { machine } from '@sosia/testing/machine';
import { corporaFolder, corpusPictures } from '@sosia/testing/pictures/corpus';
import { search, type Found, type Hit } from '../quality/searching.ts';
import { median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { cutOut, read, type Logo } from './references.ts';

const TYPE = 'brand-monitoring';
const ALARMS = 0.03;

if (!corpusPictures('logos/query')) console.log('logos: skipped, ../shared/corpora/logos is absent');
else {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-logos-'));
  try {
    await measure(await cutOut(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(logos: readonly Logo[]): Promise<void> {
  const truth = Object.entries(read('query_brands.json') as Record<string, string | null>);
  const stored = await describeAll(logos.map(({ path }) => ({ path, type: TYPE, side: 'reference' })));
  const asked = await describeAll(
    truth.map(([name]) => ({ path: join(corporaFolder, 'logos', name), type: TYPE, side: 'query' })),
  );
  const partition = AtOnce.of(recipes[TYPE]);
  stored.forEach(({ dna }, image) => dna && partition.add(image, dna));
  const found: Found[] = [];
  for (const { dna } of asked) found.push(await search(partition, dna!));

  const brandOf = (hit: Hit | undefined) => hit && logos[hit.image]!.brand;
  const scenes = truth.map(([, brand], i) => ({ brand, first: found[i]!.hits[0], found: found[i]! }));
  const empty = scenes.filter(({ brand }) => brand === null);
  const scores = empty.map(({ first }) => first?.score ?? 1).sort((a, b) => a - b);
  const alarm = scores[Math.floor(ALARMS * scores.length)]!;
  const matched = (hit: Hit | undefined) => hit?.info.decision === 'Match' || hit?.info.decision === 'Clone';

  console.log(`## Logos: brands in scenes\n\n${machine()}\n`);
  console.log(`${partition.count} references cut out of training pictures (${logos.length - partition.count} more hold too little to be described).
"rank 1": the first result is of the right brand, whatever its score. "found": and its score is below ${figure(alarm, 3)}, which at most 3 %
of the ${empty.length} scenes without a logo get below. "Match": and its decision is Match.\n`);
  const shown = scenes.filter(({ brand }) => brand !== null);
  const row = (title: string, of: typeof shown): Cell[] => {
    const share = (holds: (one: (typeof shown)[number]) => boolean) => figure(of.filter(holds).length / of.length, 2);
    const right = ({ brand, first }: (typeof shown)[number]) => brandOf(first) === brand;
    return [
      title,
      of.length,
      share(right),
      share((one) => right(one) && one.first!.score < alarm),
      share((one) => right(one) && matched(one.first)),
    ];
  };
  const brands = [...new Set(shown.map(({ brand }) => brand!))].sort();
  const rows = brands.map((name) =>
    row(
      name,
      shown.filter(({ brand }) => brand === name),
    ),
  );
  console.log(table(['brand', 'scenes', 'rank 1', 'found', 'Match'], [...rows, row('all', shown)]));
  const alarms = empty.filter(({ first }) => matched(first)).length;
  console.log(
    `\nScenes without a logo with a Match: ${alarms} of ${empty.length}. Their best scores: ${scores.slice(0, 5).join(', ')}.\n`,
  );
  const spread = (values: readonly number[]): Cell[] => [figure(median(values), 1), figure(quantile(values, 0.95), 1)];
  console.log(
    table(
      ['cost', 'median', '95 %'],
      [
        ['describe a scene, ms', ...spread(asked.map(({ describeMs }) => describeMs))],
        ['candidates, ms', ...spread(found.map(({ candidatesMs }) => candidatesMs))],
        ['verify, ms', ...spread(found.map(({ verifyMs }) => verifyMs))],
      ],
    ),
  );
}
