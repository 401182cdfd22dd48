import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { AtOnce, recipes } from '@sosia/engine';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { photographs, type Corpus } from '@sosia/testing/pictures/corpus';
import { describeAll } from '@sosia/testing/describing/describing';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { judgeAll, type Trial } from './judging.ts';
import { report } from './report.ts';
import { search, type Found } from './searching.ts';
import { contactSheet } from '@sosia/testing/pictures/sheet';

const TYPE = 'media-matching';

const { values: options } = parseArgs({
  options: {
    references: { type: 'string', default: '300' },
    pictures: { type: 'string', default: '60' },
    attacks: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', default: 'photos' },
    json: { type: 'string' },
    sheet: { type: 'string' },
  },
});
const seed = Number(options.seed);

const corpus = photographs(Number(options.references), seed, options.folder);
if (!corpus) console.log(`quality: skipped, ../shared/corpora/${options.folder} is absent`);
else if (options.sheet) await contactSheet(corpus.references[0]!, corpus.negatives, seed, options.sheet);
else await measure(corpus);

async function measure(corpus: Corpus): Promise<void> {
  const partition = AtOnce.of(recipes[TYPE]);
  const references = await describeAll(corpus.references.map((path) => ({ path, type: TYPE, side: 'reference' })));
  references.forEach(({ dna }, image) => dna && partition.add(image, dna));

  const trials = await plan(corpus);
  const queries = await describeAll(trials.map(({ path }) => ({ path, type: TYPE, side: 'query' })));
  const found: (Found | null)[] = [];
  for (const { dna } of queries) found.push(dna && (await search(partition, dna)));

  const judged = judgeAll(trials, found);
  const name = (image: number) => basename(corpus.references[image]!);
  console.log(report({ folder: options.folder, judged, references, queries, found, partition, name, seed }));
  if (options.json)
    await writeFile(
      options.json,
      JSON.stringify({ trials, ...judged, attacked: Object.fromEntries(judged.attacked) }, null, 1),
    );
}

/** Every query there is to ask: references attacked and as they are, negatives attacked and as they are. */
async function plan({ references, negatives }: Corpus): Promise<Trial[]> {
  const wanted = options.attacks.split(',');
  const chosen = attacks.filter(({ name }) => wanted.some((part) => name.includes(part)));
  const sample = shuffled(randomFor('attacked', seed), [...references.keys()]).slice(0, Number(options.pictures));
  const trials: Trial[] = [];
  for (const attack of chosen)
    for (const image of sample) {
      const file = await attackedFile(references[image]!, attack, negatives, seed);
      trials.push({
        path: file.path,
        source: basename(references[image]!),
        attack: attack.name,
        answer: { image, ...file },
      });
    }
  for (const path of negatives) {
    trials.push({ path, source: basename(path), attack: null, answer: null });
    for (const attack of shuffled(randomFor('negative', basename(path), seed), attacks).slice(0, 3)) {
      const file = await attackedFile(path, attack, negatives, seed);
      trials.push({ path: file.path, source: basename(path), attack: attack.name, answer: null });
    }
  }
  references.forEach((path, image) => {
    const answer = { image, truth: [1, 0, 0, 0, 1, 0, 0, 0, 1], width: 1, height: 1 };
    trials.push({ path, source: basename(path), attack: null, answer });
  });
  return trials;
}
