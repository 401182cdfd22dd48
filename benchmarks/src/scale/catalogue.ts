import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { finished } from '@sosia/engine';
import { Catalogue, type Entry } from '@sosia/server/applications/catalogue/catalogue';
import { entryOf } from './content.ts';
import { millisecondsSince } from './processor.ts';

const CHANGES = 10_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The ids and keywords of `size` pictures in memory. */
export function measureCatalogue(size: number) {
  const before = memory();
  const catalogue = new Catalogue();
  const [load] = times(1, () => {
    for (let i = 0; i < size; i++) catalogue.stock(entryOf(i));
    finished(catalogue.arrange());
  });
  const bytes = (memory() - before) / size;

  const everywhere = Array.from({ length: CHANGES }, (_, i) => entryOf(Math.floor((i * size) / CHANGES)));
  const added = times(CHANGES, (i) => catalogue.add(entryOf(size + i)));
  const removed = times(CHANGES, (i) => catalogue.remove(everywhere[i]!));
  const selected = (keywords: string[], ids: string[] | null): number => {
    const measured = times(20, (i) => {
      changed(catalogue, entryOf(2 * size + i), () => catalogue.select({ keywords, ids }));
    });
    return median(measured.slice(5));
  };
  return {
    pictures: size,
    'memory a picture, bytes': bytes,
    'load, µs a picture': (1000 * load!) / size,
    'median add, ms': median(added),
    'slowest of 10,000 adds, ms': Math.max(...added),
    'slowest of 10,000 removals, ms': Math.max(...removed),
    'slowest page, ms': Math.max(
      ...[[], ['half 1'], ['half 1', 'tenth 1']].flatMap((keywords) => slowestPages(catalogue, keywords, size)),
    ),
    'filter by half of the pictures, ms': selected(['half 1'], null),
    'filter by two keywords, ms': selected(['half 1', 'tenth 1'], null),
    'filter by 10,000 ids, ms': selected(
      [],
      everywhere.map(({ id }) => id),
    ),
  };
}

/** At the start, far behind and after an id. */
function slowestPages(catalogue: Catalogue, keywords: string[], size: number): number[] {
  collect(); // what the measures before have left
  const pages = [[0], [size / 4], [0, 'shop/8']] as const;
  return pages.map(([start, after]) => {
    const measured = times(20, (i) => {
      changed(catalogue, entryOf(2 * size + i), () => {
        catalogue.page({ keywords, ids: null }, { start, count: 100 }, after);
      });
    });
    return Math.max(...measured.slice(5));
  });
}

/** After a change, so that nothing is remembered. */
function changed(catalogue: Catalogue, entry: Entry, work: () => void): void {
  catalogue.add(entry);
  work();
  catalogue.remove(entry);
}

/** Milliseconds of each call. */
function times(count: number, work: (i: number) => unknown): number[] {
  return Array.from({ length: count }, (_, i) => {
    const start = process.cpuUsage();
    work(i);
    return millisecondsSince(start);
  });
}

function memory(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
