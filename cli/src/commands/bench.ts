import { readFileSync, statSync } from 'node:fs';
import { sideBySide, SosiaError, type Sosia } from '@sosia/client';
import { Command, Option } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { isAboutPicture } from '../connection/error-bands.ts';
import { withHelp } from '../help.ts';
import { counted, print, logLine } from '../terminal/output.ts';
import { picturesIn } from '../sources/folder.ts';
import { writeTable } from '../terminal/table.ts';

interface BenchOptions extends ConnectionOptions {
  readonly requests: number;
  readonly parallel?: readonly number[];
}

/** Pictures in memory; more would not change the result. */
const PICTURES = 100;

export function benchCommand(): Command {
  const command = new Command('bench')
    .description('Measure the searches of a running service with your own pictures. Adds nothing.')
    .argument('<sources...>', 'pictures, or folders of them')
    .option('--requests <N>', 'Searches for each row.', whole(1, 100_000), 100)
    .addOption(
      new Option('--parallel <N...>', 'Concurrent searches, a row for each number. (default: 1 4)').argParser(
        (text: string, before: number[] | undefined) => [...(before ?? []), whole(1, 256)(text)],
      ),
    );
  return withHelp(addConnection(command, ['query']), {
    examples: ['sosia bench pictures/ --app KEY', 'sosia bench *.jpg --app KEY --requests 100 --parallel 1 4 16'],
    notes: [
      'Times are those of a client, in milliseconds, from the first byte sent to the last one read, including the waiting for a busy service. At most 100 pictures are read and searched with once before the measurement, and then sent in a cycle.',
    ],
  }).action((sources: string[], options: BenchOptions) => bench(sources, options));
}

async function bench(sources: readonly string[], options: BenchOptions): Promise<void> {
  const paths = sources.flatMap((source) =>
    statSync(source).isDirectory() ? picturesIn(source, false).entries.map(({ path }) => path!) : [source],
  );
  const sosia = connect(options);
  const references = await sosia.count();
  const pictures = await usable(sosia, paths);
  if (pictures.length === 0) throw new Error(`no pictures to search with in ${sources.join(', ')}`);
  logLine(`${counted(pictures.length, 'picture')} against ${counted(references, 'reference')}`);

  const rows = [];
  for (const parallel of options.parallel ?? [1, 4]) {
    const measured = await load(sosia, pictures, options.requests, parallel);
    const row = { parallel, ...measured };
    if (options.json) print(row);
    else rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace('_', ' '), value])));
  }
  writeTable(rows);
}

/** The pictures that the service accepts, each searched with once, which also warms up the service. */
async function usable(sosia: Sosia, paths: readonly string[]): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = [];
  for (const path of paths) {
    if (pictures.length === PICTURES) break;
    const picture = readFileSync(path);
    try {
      await sosia.search(picture, { count: 1 });
      pictures.push(picture);
    } catch (cause) {
      if (!(cause instanceof SosiaError && isAboutPicture(cause.code))) throw cause;
      logLine(`left out: ${path}: ${cause.message}`);
    }
  }
  return pictures;
}

/** @returns the measurements, rounded for people */
async function load(sosia: Sosia, pictures: readonly Uint8Array[], requests: number, parallel: number) {
  const times: number[] = [];
  let found = 0;
  const started = performance.now();
  const queries = Array.from({ length: requests }, (_, i) => pictures[i % pictures.length]!);
  const search = async (picture: Uint8Array): Promise<{ ms: number; hit: boolean } | Error> => {
    const begin = performance.now();
    try {
      const { total } = await sosia.search(picture, { count: 1 });
      return { ms: performance.now() - begin, hit: total > 0 };
    } catch (cause) {
      return cause as Error;
    }
  };
  for await (const outcome of sideBySide(queries, parallel, search)) {
    if (outcome instanceof Error) throw outcome;
    times.push(outcome.ms);
    if (outcome.hit) found++;
  }
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => round(times[Math.min(times.length - 1, Math.floor(share * times.length))]!);
  return {
    searches: requests,
    found,
    per_second: round(requests / seconds),
    median_ms: at(0.5),
    p95_ms: at(0.95),
    slowest_ms: at(1),
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
