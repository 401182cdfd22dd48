import { parseArgs } from 'node:util';
import { AtOnce, recipes, type ApplicationType } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { machine } from '@sosia/testing/machine';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { photographs } from '@sosia/testing/pictures/corpus';
import { population } from '@sosia/testing/describing/population';
import { oneOf, randomFor } from '@sosia/testing/pictures/random';
import { search, type Found } from '../quality/searching.ts';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';

const SEED = 1;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    queries: { type: 'string', default: '200' },
    type: { type: 'string', default: 'media-matching' },
  },
});
const TYPE = options.type as ApplicationType;
const sizes = options.sizes.split(',').map(Number);

const recipe = recipes[TYPE];
const corpus = photographs(300, SEED);
if (!corpus) console.log('index: skipped, ../shared/corpora/photos is absent');
else if (!recipe) console.log(`index: skipped, the engine has no ${TYPE} yet`);
else {
  const dnas = (await population(TYPE, Math.max(...sizes), SEED))!;
  const queries = await attackedReferences(corpus.references, corpus.negatives);
  console.log(`## Index: candidates and verification on one core, ${TYPE}\n`);
  console.log(machine() + '\n');
  console.log(`${queries.length} queries, each one of the first 300 pictures under one attack by chance. Searched as by
the service, on one core. "whole" adds the description of the query. Memory is measured from the outside: what the process grew by.\n`);
  const heads = [
    'pictures',
    'add, ms',
    'candidates, ms',
    '95 %',
    'verify, ms',
    '95 %',
    'both, ms',
    '95 %',
    'whole, ms',
    '95 %',
    'right first',
  ];
  const partitions = sizes.map(() => AtOnce.of(recipe)); // all kept, so that none grows into another's memory
  const rows: Cell[][] = [];
  for (const [i, size] of sizes.entries()) rows.push(await measure(partitions[i]!, dnas.slice(0, size), queries));
  console.log(table([...heads, 'DNA, bytes', 'index, bytes', 'RSS, bytes a picture'], rows));
}

interface Query {
  readonly image: number;
  readonly dna: Uint8Array;
  readonly describeMs: number;
}

async function attackedReferences(references: readonly string[], hosts: readonly string[]): Promise<Query[]> {
  const random = randomFor('index', SEED);
  const images = Array.from({ length: Number(options.queries) }, () => Math.floor(random() * references.length));
  const files = [];
  for (const image of images) files.push(await attackedFile(references[image]!, oneOf(random, attacks), hosts, SEED));
  const described = await describeAll(files.map(({ path }) => ({ path, type: TYPE, side: 'query' })));
  return described.flatMap(({ dna, describeMs }, i) => (dna ? { image: images[i]!, dna, describeMs } : []));
}

async function measure(partition: AtOnce, dnas: readonly Uint8Array[], queries: readonly Query[]): Promise<Cell[]> {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  dnas.forEach((dna, image) => partition.add(image, dna));
  const addMs = (performance.now() - start) / dnas.length;
  const grown = process.memoryUsage().rss - before;

  for (const { dna } of queries.slice(0, 20)) await search(partition, dna); // warm
  const found: Found[] = [];
  for (const { dna } of queries) found.push(await search(partition, dna));
  const right = found.filter(({ hits }, i) => hits[0]?.image === queries[i]!.image);
  const ms = (values: readonly number[]) => [figure(median(values), 2), figure(quantile(values, 0.95), 2)];
  return [
    dnas.length,
    figure(addMs, 2),
    ...ms(found.map(({ candidatesMs }) => candidatesMs)),
    ...ms(found.map(({ verifyMs }) => verifyMs)),
    ...ms(found.map(({ candidatesMs, verifyMs }) => candidatesMs + verifyMs)),
    ...ms(found.map(({ candidatesMs, verifyMs }, i) => queries[i]!.describeMs + candidatesMs + verifyMs)),
    figure(right.length / queries.length, 3),
    Math.round(mean(dnas.map((dna) => dna.length))),
    Math.round(partition.bytes / partition.count),
    Math.round(grown / dnas.length),
  ];
}
