import { SynchronousPartition, typeDefinitions, type ApplicationType } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { benchmark, countOf, ofTheService, missingCorpora } from '../harness/benchmark.ts';
import { search, type Found } from '@sosia/testing/searching/search';

const SEED = 1;

interface Query {
  readonly image: number;
  readonly dna: Uint8Array;
}

export default benchmark({
  title: 'Index: candidates and verification',
  kind: 'speed',
  about: 'Attacked queries with several copies.',
  missing: missingCorpora('photos'),
  targets: {
    'both, median, ms': '<= 15',
    'both, median, with the fewest pictures, ms': '<= 7',
    'index of a picture, bytes': '<= 6144',
  },
  options: { sizes: '1000,10000', queries: 200, type: 'media-matching' },
  size: ({ sizes, queries }) => {
    const counts = sizes.split(',').map(countOf);
    return {
      'both, median, with': `${counts[0]} pictures, ${queries} queries`,
      'both, 95 %, with': `${counts[0]} pictures, ${queries} queries`,
      index: `${counts.at(-1)} pictures`,
      '': `${counts.at(-1)} pictures, ${queries} queries`,
    };
  },
  measures: ofTheService,
  async run({ sizes, queries: count, type: name }) {
    const type = name as ApplicationType;
    const numbers = sizes.split(',').map(Number);
    const dnas = (await population(type, Math.max(...numbers), SEED))!;
    const queries = await describedQueries(type, count);
    const partitions = numbers.map(() => SynchronousPartition.of(typeDefinitions[type])); // all kept, so that none grows into another's memory
    const rows = [];
    for (const [i, size] of numbers.entries()) rows.push(await measure(partitions[i]!, dnas.slice(0, size), queries));
    const last = rows.at(-1)!;
    return {
      figures: {
        'candidates, median, ms': last['candidates, ms'],
        'verification, median, ms': last['verify, ms'],
        'both, median, ms': last['both, ms'],
        'both, 95 %, ms': last['both, 95 %'],
        'both, median, with the fewest pictures, ms': rows[0]!['both, ms'],
        'both, 95 %, with the fewest pictures, ms': rows[0]!['both, 95 %'],
        'adding a picture, ms': last['add, ms'],
        'index of a picture, bytes': last['index, bytes'],
        'right picture first': last['right first'],
      },
      tables: { sizes: rows },
    };
  },
});

async function describedQueries(type: ApplicationType, count: number): Promise<Query[]> {
  const files = await attackedReferences(photographs(300, SEED)!, count, SEED);
  const described = await describeAll(files.map(({ path }) => ({ path, type, side: 'query' })));
  return described.flatMap(({ dna }, i) => (dna ? [{ image: files[i]!.image, dna }] : []));
}

async function measure(partition: SynchronousPartition, dnas: readonly Uint8Array[], queries: readonly Query[]) {
  const start = performance.now();
  dnas.forEach((dna, image) => partition.add(image, dna));
  const addMs = (performance.now() - start) / dnas.length;
  for (const { dna } of queries.slice(0, 20)) await search(partition, dna); // warm
  const found: Found[] = [];
  for (const { dna } of queries) found.push(await search(partition, dna));

  const right = found.filter(({ hits }, i) => hits[0]?.image === queries[i]!.image);
  const candidates = found.map(({ candidatesMs }) => candidatesMs);
  const verify = found.map(({ verifyMs }) => verifyMs);
  const both = candidates.map((ms, i) => ms + verify[i]!);
  return {
    pictures: dnas.length,
    'add, ms': addMs,
    'candidates, ms': median(candidates),
    'candidates, 95 %': quantile(candidates, 0.95),
    'verify, ms': median(verify),
    'verify, 95 %': quantile(verify, 0.95),
    'both, ms': median(both),
    'both, 95 %': quantile(both, 0.95),
    'right first': right.length / queries.length,
    'DNA, bytes': mean(dnas.map((dna) => dna.length)),
    'index, bytes': partition.bytes / partition.count,
  };
}
