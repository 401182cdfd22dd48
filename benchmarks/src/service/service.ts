import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { corpusPictures, photographs } from '@sosia/testing/pictures/corpus';
import { putLoad, type Load } from '@sosia/testing/service/load';
import { startService, type Service } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import { benchmark, countOf, ofTheService, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { dnasOf } from '@sosia/testing/searching/partition';

const TYPE = 'media-matching';
const SEED = 1;

type Requests = Pick<Load, 'kind' | 'files' | 'ids'>;

export default benchmark({
  title: 'Service over the loopback',
  kind: 'speed',
  about: 'Attacked photographs, 481 x 321 pixels.',
  missing: missingCorpora('photos'),
  targets: {
    'search by picture, 1 client, median, ms': '<= 60',
    'search by DNA, 8 clients, a second': '>= 60',
    'requests that failed': '<= 0',
  },
  options: { pictures: 10_000, requests: 300, clients: '1,8,32' },
  size: ({ pictures, requests }) => ({
    'search by picture, first': `${countOf(pictures)} pictures, 100 queries`,
    'search by DNA, first': `${countOf(pictures)} pictures, 100 queries`,
    search: `${countOf(pictures)} pictures, ${requests} requests`,
    '': `${countOf(pictures)} pictures`,
  }),
  measures: ofTheService,
  run: ({ pictures, requests, clients }) =>
    inTemporaryFolder(async (folder) => {
      const counts = clients.split(',').map(Number);
      const photos = corpusPictures('photos')!;
      const attacked = (await attackedReferences(photographs(300, SEED)!, 100, SEED)).map(({ path }) => path);
      const dnas = await inFiles(folder, 'reference', (await population(TYPE, pictures, SEED))!);
      const queries = await inFiles(folder, 'query', await dnasOf(TYPE, attacked, 'query'));
      const ids = Array.from({ length: pictures }, (_, i) => `picture ${i}`);

      const adding = [];
      const first = await startService();
      const firstKey = first.createApplication(TYPE);
      for (const parallel of counts) {
        const names = ids.map((id) => `${id} of ${parallel} clients`); // no name is used twice
        adding.push(
          await rowOf(first, firstKey, { kind: 'add picture', files: photos, ids: names }, parallel, requests),
        );
      }
      await first.close();

      const data = join(folder, 'data');
      const filling = await startService({ data });
      const key = filling.createApplication(TYPE);
      const memory = [memoryRow('no picture', filling)];
      adding.push(await rowOf(filling, key, { kind: 'add DNA', files: dnas, ids }, 32, pictures));
      memory.push(memoryRow('after adding', filling));
      await filling.stop();

      const service = await startService({ data });
      memory.push(memoryRow('after a restart', service));
      const searching = [];
      for (const search of [
        { kind: 'search by picture', files: attacked },
        { kind: 'search by DNA', files: queries },
        { kind: 'search by id', files: [], ids },
      ] satisfies Requests[]) {
        // later passes repeat the same queries
        const first = await rowOf(service, key, search, 1, search.files.length || requests);
        searching.push({ ...first, requests: `${search.kind}, first pass` });
        for (const parallel of counts) searching.push(await rowOf(service, key, search, parallel, requests));
      }
      memory.push(memoryRow('after the searches', service));
      await service.stop();

      return {
        figures: {
          ...figuresOf(searching),
          'requests that failed': [...adding, ...searching].filter(({ failed }) => failed !== '').length,
          'start with all pictures, ms': service.startMs,
          'memory of the main process, MB': memory[2]!['main, MB'],
          'on disk, a picture, bytes': (await sizeOf(data)) / pictures,
        },
        tables: { adding, searching, memory },
      };
    }),
});

/** One client shows the latency, eight show the throughput. */
function figuresOf(rows: readonly Awaited<ReturnType<typeof rowOf>>[]): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const figure = (which: string) => `${row.requests}, 1 client, ${which}, ms`;
      if (row.clients === 1)
        return [
          [figure('median'), row['p50, ms']],
          [figure('95 %'), row['p95, ms']],
        ];
      return row.clients === 8 ? [[`${row.requests}, 8 clients, a second`, row['a second']]] : [];
    }),
  );
}

async function rowOf({ modify, query }: Service, key: string, kind: Requests, clients: number, requests: number) {
  const { seconds, latencies, refusals, failures } = await putLoad({ modify, query, key, clients, requests, ...kind });
  const failed = Object.entries(failures).map(([what, times]) => `${times} x ${what}`);
  return {
    requests: kind.kind as string,
    clients,
    'a second': latencies.length / seconds,
    'p50, ms': median(latencies),
    'p95, ms': quantile(latencies, 0.95),
    'p99, ms': quantile(latencies, 0.99),
    busy: refusals.length,
    failed: failed.join('; '),
  };
}

function memoryRow(when: string, service: Service) {
  const { main, mainPeak, children } = service.memory();
  return { when, 'main, MB': main, 'peak, MB': mainPeak, 'decoding children, MB': children };
}

async function inFiles(folder: string, name: string, contents: readonly Uint8Array[]): Promise<string[]> {
  const files = contents.map((_, i) => join(folder, `${name} ${i}`));
  for (const [i, content] of contents.entries()) await writeFile(files[i]!, content);
  return files;
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
