import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { corporaFolder } from '@sosia/testing/pictures/corpus';

/** `npm run benchmark -- NAME` runs the default export of `benchmarks/src/NAME/NAME.ts`. */
export interface Benchmark<O extends Options = Options> {
  readonly title: string;
  /** Figures of accuracy are the same on every machine; figures of speed need a quiet one. */
  readonly kind: 'accuracy' | 'speed';
  /** What is measured, and what the figures mean. */
  readonly about: string;
  /** Options of the command line with their defaults. An option whose default is a number takes a number. */
  readonly options: O;
  /** What figures should reach, by name. */
  readonly targets?: Readonly<Record<string, Target>>;
  /** How many pictures and queries a figure is of: for all figures, or by how their names begin; the first that fits counts. */
  size(options: O): string | Readonly<Record<string, string>>;
  /** What is measured, as paths from the root of the repository. A change of these makes the figures older. */
  readonly measures: readonly string[];
  /** Why the benchmark cannot run here. */
  readonly missing?: string | null;
  run(options: O): Promise<Measured>;
}

export type Options = Readonly<Record<string, string | number>>;

export interface Measured {
  /** The few numbers that docs/benchmarks.md shows, by name. */
  readonly figures: Readonly<Record<string, number>>;
  /** The numbers behind the figures, by title. */
  readonly tables?: Readonly<Record<string, readonly Row[]>>;
}

export type Target = `${'>=' | '<='} ${number}`;

/** Cells by the heading of their column. */
export type Row = Readonly<Record<string, string | number>>;

/** What searches and verdicts of pictures depend on. */
export const ofPictures = ['engine', 'server/src/decode'];
/** What times over HTTP depend on. */
export const ofTheService = ['engine', 'server'];

/** 10000 is 10,000. */
export function countOf(count: number | string): string {
  return Number(count).toLocaleString('en');
}

export function benchmark<O extends Options>(definition: Benchmark<O>): Benchmark<O> {
  return definition;
}

/** @returns why a benchmark that needs these folders of ../shared/corpora cannot run; null if all are there */
export function missingCorpora(...folders: readonly string[]): string | null {
  const absent = folders.filter((folder) => !existsSync(join(corporaFolder, folder)));
  return absent.length > 0 ? `../shared/corpora has no ${absent.join(', ')}` : null;
}
