import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AtOnce, recipes } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { machine } from '@sosia/testing/machine';
import { corporaFolder, corpusPictures } from '@sosia/testing/pictures/corpus';
import { search, type Found, type Hit } from '../quality/searching.ts';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { alikes, shownToo } from './alikes.ts';

const TYPE = 'mobile-matching';

interface Photograph {
  readonly name: string;
  readonly camera: string;
  readonly cover: string;
  readonly found: Found;
}

const photographs = corpusPictures('covers/query');
if (!photographs) console.log('covers: skipped, ../shared/corpora/covers is absent');
else await measure(photographs);

async function measure(paths: readonly string[]): Promise<void> {
  const folders = ['covers/reference', 'covers/distractor', 'photos'];
  const references = folders.flatMap((folder) => corpusPictures(folder) ?? []);
  const truth = JSON.parse(readFileSync(join(corporaFolder, 'covers/groundtruth.json'), 'utf8')) as Record<
    string,
    string
  >;
  const stored = await describeAll(references.map((path) => ({ path, type: TYPE, side: 'reference' })));
  const asked = await describeAll(paths.map((path) => ({ path, type: TYPE, side: 'query' })));
  const partition = AtOnce.of(recipes[TYPE]);
  stored.forEach(({ dna }, image) => dna && partition.add(image, dna));
  const nameOf = ({ image }: Hit) => basename(references[image]!, '.jpg');

  const photographs: Photograph[] = [];
  for (const [i, { dna }] of asked.entries()) {
    const name = basename(paths[i]!, '.jpg');
    const cover = basename(truth[`query/${name}.jpg`]!, '.jpg');
    if (!dna) throw new Error(`${name} holds too little to be described`);
    photographs.push({ name, camera: name.split('_')[0]!, cover, found: await search(partition, dna) });
  }

  const claims = ({ info }: Hit) => info.decision === 'Match' || info.decision === 'Clone';
  const right = ({ cover, found }: Photograph) =>
    found.hits[0] && nameOf(found.hits[0]) === cover && claims(found.hits[0]);
  const same = ({ cover, found }: Photograph) => {
    const [first] = found.hits;
    return first && claims(first) && (nameOf(first) === cover || alikes.get(cover)?.twin === nameOf(first));
  };
  const wrong = (photograph: Photograph) =>
    photograph.found.hits.filter((hit) => claims(hit) && nameOf(hit) !== photograph.cover).map(nameOf);
  const strangers = (photograph: Photograph) => {
    const { twin, relative } = alikes.get(photograph.cover) ?? {};
    const known = [twin, relative, ...(shownToo.get(photograph.name) ?? [])];
    return wrong(photograph).filter((name) => !known.includes(name));
  };

  console.log(`## Covers: photographs of printed things\n\n${machine()}\n`);
  console.log(`${partition.count} references (50 covers, 150 other covers, 400 photographs), ${photographs.length} phone photographs.
"right": the right cover at rank 1 as Match or Clone. "twin counted": two of the other covers are the same print as one
of the 50, and either is right. "removed": any other picture still claimed as Match or Clone once the right cover is taken out;
"… not shown": the same without the prints that really are in the photograph (twins, other editions, neighbours on the table).\n`);
  const cameras = [...new Set(photographs.map(({ camera }) => camera))];
  const share = (of: readonly Photograph[], holds: (one: Photograph) => unknown) =>
    figure(of.filter(holds).length / of.length, 3);
  const row = (title: string, of: readonly Photograph[]): Cell[] => [
    title,
    of.length,
    share(of, right),
    share(of, same),
    share(of, (one) => wrong(one).length > 0),
    share(of, (one) => strangers(one).length > 0),
  ];
  console.log(
    table(
      ['camera', 'photographs', 'right', 'twin counted', 'removed', '… not shown'],
      [
        ...cameras.map((camera) =>
          row(
            camera,
            photographs.filter((one) => one.camera === camera),
          ),
        ),
        row('all', photographs),
      ],
    ),
  );
  const missed = photographs.filter((one) => !same(one)).map(({ name }) => name);
  const odd = photographs.flatMap((one) => strangers(one).map((name) => `${one.name} → ${name}`));
  console.log(
    `\nMissed, twins counted: ${missed.join(', ') || 'none'}. Claimed and not shown: ${odd.join(', ') || 'none'}.\n`,
  );
  const spread = (values: readonly number[]): Cell[] => [figure(median(values), 1), figure(quantile(values, 0.95), 1)];
  console.log(
    table(
      ['cost', 'median', '95 %'],
      [
        ['decode a photograph, ms', ...spread(asked.map(({ decodeMs }) => decodeMs))],
        ['describe a photograph, ms', ...spread(asked.map(({ describeMs }) => describeMs))],
        ['candidates, ms', ...spread(photographs.map(({ found }) => found.candidatesMs))],
        ['verify, ms', ...spread(photographs.map(({ found }) => found.verifyMs))],
        ['DNA of a reference, bytes', Math.round(mean(stored.flatMap(({ dna }) => dna?.length ?? []))), ''],
      ],
    ),
  );
}
