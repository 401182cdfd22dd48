import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { randomFor } from '@sosia/testing/pictures/random';
import { dnasOf } from '@sosia/testing/searching/partition';
import { startService, type Service } from '@sosia/testing/service/service';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { elapsed } from '../harness/timing.ts';
import { entryOf } from './content.ts';
import { withFilled } from './folder.ts';
import { drawer } from '@sosia/testing/describing/drawn';

const TYPE = 'media-matching';
const SEED = 1;
/** Photographs among the references, which the queries show. */
const SHOWN = 300;
/** Pictures whose features are drawn, besides. */
const SOURCES = 2100;
const QUERIES = 100;
/** Milliseconds, and the share of them that a resting service is busy. */
const PAUSE = 3000;
const RESTING = 0.02;

/** A service of `size` pictures: its starts, searches, additions, memory and disk. @param kept  see `withFilled` */
export async function measureService(size: number, added: number, kept: string) {
  const known = (await population(TYPE, SHOWN + SOURCES, SEED))!;
  const queries = await attackedReferences(photographs(SHOWN, SEED)!, QUERIES, SEED);
  const paths = queries.map(({ path }) => path);
  const dnas = await dnasOf(TYPE, paths, 'query');
  const files = await Promise.all(paths.map((path) => readFile(path)));
  const draw = drawer(known.slice(SHOWN), randomFor('drawn references', SEED));
  const dnaOf = (n: number) => (n < SHOWN ? known[n]! : draw());

  return withFilled({ size, kept }, dnaOf, async ({ data, key, firstStart }) => {
    const before = await startService({ data });
    const stop = await elapsed(() => before.stop());
    const afterStop = await startService({ data });
    console.error(`start after a stop: ${Math.round(afterStop.startMs)} ms`);
    await rest(afterStop);
    const sosia = afterStop.client(key);
    const warm = 10;
    const first = await timed(afterStop, dnas.length, (i) => sosia.searchByDna(dnas[i]!));
    const searches = (keywords: string[]) =>
      timed(afterStop, dnas.length + warm, (i) => sosia.searchByDna(dnas[i % dnas.length]!, { keywords }));
    const byDna = await searches([]);
    const firsts = byDna.answers.slice(0, dnas.length).map(({ images }) => images[0]?.id);
    const found = firsts.filter((id, i) => id === entryOf(queries[i]!.image).id).length;
    const amongHalf = await searches(['half 1']);
    const byPicture = await timed(afterStop, files.length + warm, (i) => sosia.search(files[i % files.length]!));
    const { main, children } = afterStop.memory();
    const held = await sosia.count();
    const extra = Array.from({ length: added }, draw);
    const adding = await timed(afterStop, added, (i) => {
      const { id, keywords } = entryOf(held + i);
      return sosia.addDna(id, extra[i]!, keywords);
    });
    const afterAdding = afterStop.memory();
    await afterStop.kill();
    const afterKill = await startService({ data });
    console.error(`start after a kill: ${Math.round(afterKill.startMs)} ms`);
    await afterKill.stop();
    const [dnaTimes, halfTimes, pictureTimes] = [byDna, amongHalf, byPicture].map((times) => times.skipped(warm)) as [
      Times,
      Times,
      Times,
    ];
    return {
      pictures: held,
      'first searches by DNA, median, ms of processor': median(first.processor),
      'first searches by DNA, median, ms': median(first.wall),
      'search by DNA, median, ms of processor': median(dnaTimes.processor),
      'search by DNA, 95 %, ms of processor': quantile(dnaTimes.processor, 0.95),
      'search by DNA, median, ms': median(dnaTimes.wall),
      'search by DNA, 95 %, ms': quantile(dnaTimes.wall, 0.95),
      'right picture first': found / dnas.length,
      'search among half of them, median, ms of processor': median(halfTimes.processor),
      'search by picture, median, ms of processor': median(pictureTimes.processor),
      'search by picture, mean, ms of processor': mean(pictureTimes.processor),
      'search by picture, median, ms': median(pictureTimes.wall),
      'memory after searches, MB': main + children,
      'memory after adding, MB': afterAdding.main + afterAdding.children,
      ...(firstStart !== undefined && { 'first start, ms': firstStart }),
      'stop, ms': stop,
      'start after a stop, ms': afterStop.startMs,
      'start after a kill, ms': afterKill.startMs,
      'add by DNA, median, ms': median(adding.wall),
      'add by DNA, 99 %, ms': quantile(adding.wall, 0.99),
      'add by DNA, slowest, ms': Math.max(...adding.wall),
      'add by DNA, median, ms of processor': median(adding.processor),
      'add by DNA, mean, ms of processor': mean(adding.processor),
      'disk a picture, bytes': bytesIn(data) / (held + added),
      'store a picture, bytes': statSync(join(data, 'images.db')).size / (held + added),
    };
  });
}

/** Waits until a service does nothing: after its start, a large one checks the pages of its store for minutes. */
async function rest(service: Service): Promise<void> {
  for (let busy = Infinity; busy > RESTING * PAUSE;) {
    const before = service.exactProcessorMs();
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    busy = service.exactProcessorMs() - before;
  }
}

/** Milliseconds of each request. */
interface Times {
  readonly wall: readonly number[];
  readonly processor: readonly number[];
}

async function timed<T>(service: Service, count: number, request: (i: number) => Promise<T>) {
  const wall: number[] = [];
  const processor: number[] = [];
  const answers: T[] = [];
  for (let i = 0; i < count; i++) {
    const before = service.exactProcessorMs();
    wall.push(await elapsed(async () => answers.push(await request(i))));
    processor.push(service.exactProcessorMs() - before);
  }
  const skipped = (first: number): Times => ({ wall: wall.slice(first), processor: processor.slice(first) });
  return { wall, processor, answers, skipped };
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, each) => sum + (each.isFile() ? each.blocks * 512 : 0), 0);
}
