import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@sosia/testing/pictures/random';
import { pagesOf, type Pages } from './pages.ts';
import type { Stock, Tenant } from './stock.ts';

export const files = ['images.db', 'applications.db'] as const;
type File = (typeof files)[number];
const kinds = ['zeros', 'random bytes', 'another page', 'a flipped bit'] as const;

/** A sound data folder. */
export interface Sound {
  readonly folder: string;
  readonly stock: Stock;
  readonly pages: Readonly<Record<File, Pages>>;
}

/** One way to damage a copy of it. */
export interface Case {
  readonly name: string;
  readonly file: File;
  /** Pages whose bytes change. */
  readonly touched: ReadonlySet<number>;
  apply(path: string): void;
}

export function pagesIn(folder: string, file: File): Pages {
  const log = statSync(join(folder, `${file}-wal`), { throwIfNoEntry: false });
  if (log && log.size > 0) throw new Error(`expected ${file} without a log, found ${log.size} bytes`);
  return pagesOf(readFileSync(join(folder, file)));
}

export function damagedPage({ folder, pages }: Sound, i: number, random: Random): Case {
  const file = i % 5 === 4 ? 'applications.db' : 'images.db';
  const kind = kinds[i % kinds.length]!;
  const { size, count } = pages[file];
  const bytes = readFileSync(join(folder, file));
  const page = 1 + Math.floor(random() * count);
  const start = (page - 1) * size;
  const place = bytes.subarray(start, start + size);
  const before = Buffer.from(place);
  if (kind === 'zeros') place.fill(0);
  if (kind === 'random bytes') for (let at = 0; at < size; at++) place[at] = random() * 256;
  if (kind === 'another page') {
    const other = Math.floor(random() * count) * size;
    bytes.copy(place, 0, other, other + size);
  }
  // half of them at the beginning of the page, where its structure is
  const bit = Math.floor(random() * (random() < 0.5 ? 64 : size) * 8);
  if (kind === 'a flipped bit') place[bit >> 3]! ^= 1 << (bit & 7);
  const touched = new Set(place.equals(before) ? [] : [page]);
  return { name: `${file}, page ${page}, ${kind}`, file, touched, apply: (path) => writeFileSync(path, bytes) };
}

export function cutFile({ pages }: Sound, i: number, random: Random): Case {
  const file = files[i % 2]!;
  const { size, count } = pages[file];
  const length = Math.floor(random() * size * count);
  const touched = new Set(Array.from({ length: count }, (_, at) => at + 1).filter((page) => page * size > length));
  return { name: `${file}, cut to ${length} bytes`, file, touched, apply: (path) => truncateSync(path, length) };
}

/** Ids of the pictures whose application or record is read through a page that was touched. */
export function unreadableOf({ pages }: Sound, { file, touched }: Case, { number, images }: Tenant): string[] {
  const all = [...images.values()];
  const rows = pages[file].rows(file === 'images.db' ? 'images' : 'applications');
  const isLost = (row: number) => touched.has(1) || [...rows.get(row)!].some((page) => touched.has(page));
  return all.filter((image) => isLost(file === 'images.db' ? image.number : number)).map(({ id }) => id);
}

/** Whether no start is possible: the header and the list of tables are in the first page, and there must be an application. */
export function allIsUnreadable(sound: Sound, one: Case): boolean {
  if (one.touched.has(1)) return true;
  if (one.file === 'images.db') return false;
  return sound.stock.tenants.every((tenant) => unreadableOf(sound, one, tenant).length === tenant.images.size);
}
