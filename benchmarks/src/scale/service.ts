import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openImageStore } from '@sosia/server';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { randomFor } from '@sosia/testing/pictures/random';
import { dnasOf } from '@sosia/testing/searching/partition';
import { createApplication, startService, type Service } from '@sosia/testing/service/service';
import { mean, median, quantile } from '@sosia/testing/statistics';
import { elapsed } from '../harness/timing.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { entryOf } from './content.ts';
import { drawer } from '@sosia/testing/describing/drawn';

const TYPE = 'media-matching';
const SEED = 1;
/** Photographs among the references, which the queries show. */
const SHOWN = 300;
/** Pictures whose features are drawn, besides. */
const SOURCES = 2100;
const QUERIES = 100;
const AT_ONCE = 1024;

/** A service of `size` pictures: its starts, searches, additions, memory and disk. */
export async function measureService(size: number, added: number) {
  const known = (await population(TYPE, SHOWN + SOURCES, SEED))!;
  const queries = await attackedReferences(photographs(SHOWN, SEED)!, QUERIES, SEED);
  const paths = queries.map(({ path }) => path);
  const dnas = await dnasOf(TYPE, paths, 'query');
  const files = await Promise.all(paths.map((path) => readFile(path)));
  const draw = drawer(known.slice(SHOWN), randomFor('drawn references', SEED));

  return inTemporaryFolder(async (folder) => {
    const data = join(folder, 'data');
    const key = createApplication(data, TYPE);
    const filling = await elapsed(async () => {
      const store = await openImageStore(data);
      for (let i = 0; i < size; i += AT_ONCE) {
        const batch = Array.from({ length: Math.min(AT_ONCE, size - i) }, (_, j) => i + j);
        await Promise.all(batch.map((n) => store.append(1, { ...entryOf(n), dna: n < SHOWN ? known[n]! : draw() })));
      }
      await store.close();
    });
    console.error(`${size} pictures stored in ${Math.round(filling / 1000)} s`);

    const first = await startService({ data });
    const firstStart = first.startMs;
    console.error(`first start: ${Math.round(firstStart)} ms`);
    const stop = await elapsed(() => first.stop());
    const afterStop = await startService({ data });
    console.error(`start after a stop: ${Math.round(afterStop.startMs)} ms`);
    const sosia = afterStop.client(key);
    const warm = 10;
    const byDna = await timed(afterStop, dnas.length + warm, (i) => sosia.searchByDna(dnas[i % dnas.length]!));
    const firsts = byDna.answers.slice(0, dnas.length).map(({ images }) => images[0]?.id);
    const found = firsts.filter((id, i) => id === entryOf(queries[i]!.image).id).length;
    const byPicture = await timed(afterStop, files.length + warm, (i) => sosia.search(files[i % files.length]!));
    const { main, children } = afterStop.memory();
    const extra = Array.from({ length: added }, draw);
    const adding = await timed(afterStop, added, (i) => {
      const { id, keywords } = entryOf(size + i);
      return sosia.addDna(id, extra[i]!, keywords);
    });
    const afterAdding = afterStop.memory();
    await afterStop.kill();
    const afterKill = await startService({ data });
    console.error(`start after a kill: ${Math.round(afterKill.startMs)} ms`);
    await afterKill.stop();
    const [dnaTimes, pictureTimes] = [byDna, byPicture].map((times) => times.skipped(warm)) as [Times, Times];
    return {
      pictures: size,
      'search by DNA, median, ms of processor': median(dnaTimes.processor),
      'search by DNA, 95 %, ms of processor': quantile(dnaTimes.processor, 0.95),
      'search by DNA, median, ms': median(dnaTimes.wall),
      'search by DNA, 95 %, ms': quantile(dnaTimes.wall, 0.95),
      'right picture first': found / dnas.length,
      'search by picture, mean, ms of processor': mean(pictureTimes.processor),
      'search by picture, median, ms': median(pictureTimes.wall),
      'memory after searches, MB': main + children,
      'memory after adding, MB': afterAdding.main + afterAdding.children,
      'first start, ms': firstStart,
      'stop, ms': stop,
      'start after a stop, ms': afterStop.startMs,
      'start after a kill, ms': afterKill.startMs,
      'add by DNA, median, ms': median(adding.wall),
      'add by DNA, slowest, ms': Math.max(...adding.wall),
      'add by DNA, mean, ms of processor': mean(adding.processor),
      'disk a picture, bytes': bytesIn(data) / (size + added),
      'store a picture, bytes': statSync(join(data, 'images.db')).size / (size + added),
    };
  });
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
