import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeAll } from '@sosia/testing/describing/describing';
import { population } from '@sosia/testing/describing/population';
import { machine } from '@sosia/testing/machine';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attacks } from '@sosia/testing/pictures/attacks';
import { corpusPictures, photographs, type Corpus } from '@sosia/testing/pictures/corpus';
import { oneOf, randomFor } from '@sosia/testing/pictures/random';
import { median, quantile } from '@sosia/testing/statistics';
import { figure, table, type Cell } from '@sosia/testing/table';
import { putLoad, type Load } from '@sosia/testing/service/load';
import type { Memory } from '@sosia/testing/service/processes';
import { startService, type Service } from '@sosia/testing/service/service';

const TYPE = 'media-matching';
const SEED = 1;
const HEADS = ['requests', 'clients', 'a second', 'p50, ms', 'p95, ms', 'p99, ms', 'busy', 'failed'];

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '300' },
    clients: { type: 'string', default: '1,8,32' },
  },
});
const pictures = Number(options.pictures);
const requests = Number(options.requests);
const crowds = options.clients.split(',').map(Number);

const corpus = photographs(300, SEED);
if (!corpus) console.log('service: skipped, ../shared/corpora/photos is absent');
else await inFolder((folder) => measure(folder, corpus));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sosia-bench-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string, corpus: Corpus): Promise<void> {
  const dnas = await inFiles(folder, 'reference', (await population(TYPE, pictures, SEED))!);
  const attacked = await attackedReferences(corpus);
  const described = await describeAll(attacked.map((path) => ({ path, type: TYPE, side: 'query' })));
  const queries = await inFiles(
    folder,
    'query',
    described.flatMap(({ dna }) => dna ?? []),
  );

  console.log(`## Service: over the loopback, the client in its own process\n\n${machine()}\n`);
  console.log(`Pictures sent are photographs of 481 x 321 pixels; queries are references under attacks by chance.
"busy" counts answers with HTTP 503; such a request is sent again after 50 ms, and its latency is that of all its trials.\n`);

  const data = join(folder, 'data');
  const first = await startService({ data });
  const key = first.createApplication(TYPE);
  const addingFirst = await rowsOf(first, key, 'add picture', corpusPictures('photos')!);
  await first.stop();

  const filled = join(folder, 'filled');
  const filling = await startService({ data: filled });
  const filledKey = filling.createApplication(TYPE);
  const empty = filling.memory();
  const ids = Array.from({ length: pictures }, (_, i) => `picture ${i}`);
  const fill = await row({
    modify: filling.modify,
    query: filling.query,
    key: filledKey,
    kind: 'add DNA',
    clients: 32,
    requests: pictures,
    files: dnas,
    ids,
  });
  const full = filling.memory();
  await filling.stop();

  const server = await startService({ data: filled });
  const restarted = server.memory();
  await row({
    modify: server.modify,
    query: server.query,
    key: filledKey,
    kind: 'search by picture',
    clients: 8,
    requests: 16,
    files: attacked,
  }); // warm
  const searching = [
    ...(await rowsOf(server, filledKey, 'search by picture', attacked)),
    ...(await rowsOf(server, filledKey, 'search by DNA', queries)),
    ...(await rowsOf(server, filledKey, 'search by id', [], ids)),
  ];
  const searched = server.memory();
  await server.stop();

  console.log(table(HEADS, [...addingFirst, fill]) + '\n');
  console.log(`With ${pictures} pictures stored:\n\n${table(HEADS, searching)}\n`);
  console.log(
    table(
      ['memory and start', 'main process, MB', 'its peak', 'decoding children, MB'],
      [
        memoryRow('no picture', empty),
        memoryRow(`after ${pictures} were added`, full),
        memoryRow('after a restart', restarted),
        memoryRow('after the searches', searched),
      ],
    ),
  );
  const stored = (await sizeOf(filled)) / pictures;
  console.log(
    `\nStart with no picture: ${figure(first.startMs, 0)} ms; with ${pictures}: ${figure(server.startMs, 0)} ms.`,
  );
  console.log(`On disk: ${Math.round(stored)} bytes a picture.`);
}

/** The same requests by one client, by some, by many. Names of pictures are never used twice. */
async function rowsOf(
  { modify, query }: Service,
  key: string,
  kind: Load['kind'],
  files: readonly string[],
  stored?: readonly string[],
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const clients of crowds) {
    const ids = stored ?? Array.from({ length: requests }, (_, i) => `${clients} clients, ${i}`);
    rows.push(await row({ modify, query, key, kind, clients, requests, files, ids }));
  }
  return rows;
}

async function row(load: Load & { clients: number }): Promise<Cell[]> {
  const { seconds, latencies, refusals, failures } = await putLoad(load);
  const failed = Object.entries(failures).map(([what, times]) => `${times} x ${what}`);
  return [
    load.kind,
    load.clients,
    figure(latencies.length / seconds, 0),
    figure(median(latencies), 1),
    figure(quantile(latencies, 0.95), 1),
    figure(quantile(latencies, 0.99), 1),
    refusals.length,
    failed.join('; ') || 0,
  ];
}

function memoryRow(when: string, { main, mainPeak, children }: Memory): Cell[] {
  return [when, figure(main, 0), figure(mainPeak, 0), figure(children, 0)];
}

async function attackedReferences({ references, negatives }: Corpus): Promise<string[]> {
  const random = randomFor('service', SEED);
  const files: string[] = [];
  for (const path of references.slice(0, 100))
    files.push((await attackedFile(path, oneOf(random, attacks), negatives, SEED)).path);
  return files;
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
