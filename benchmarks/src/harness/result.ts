import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Measured, Options } from './benchmark.ts';
import { commitHere } from './history.ts';
import { type Load, loadOf } from './load.ts';

/** What one run measured, where and when: the content of `benchmarks/results/NAME.json`. */
export interface Result extends Measured, Pick<Benchmark, 'title' | 'kind' | 'about' | 'targets' | 'measures'> {
  readonly benchmark: string;
  readonly date: string;
  readonly commit: string;
  /** Commits of figures that are of another run than the others. */
  readonly commits?: Readonly<Record<string, string>>;
  readonly machine: ReturnType<typeof machine>;
  /** null where it was not recorded. */
  readonly load: Load | null;
  /** By the clock; missing in results before this was recorded. */
  readonly seconds?: number;
  /** How many pictures and queries each figure is of, by its name. */
  readonly sizes: Readonly<Record<string, string>>;
  readonly options: Options;
}

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the benchmark and notes the circumstances. */
export async function measure(name: string, definition: Benchmark, options: Options): Promise<Result> {
  const { title, kind, about, measures, targets = {} } = definition;
  const commit = commitHere(); // before the run, in which sources may change
  const started = performance.now();
  const { result: measured, load } = await loadOf(() => definition.run(options));
  const unknown = Object.keys(targets).find((figure) => !(figure in measured.figures));
  if (unknown) throw new Error(`expected a figure for the target "${unknown}"`);
  return {
    benchmark: name,
    title,
    kind,
    about,
    date: new Date().toISOString().slice(0, 10),
    commit,
    machine: machine(),
    load,
    seconds: Math.round((performance.now() - started) / 1000),
    options,
    ...measured,
    sizes: sizesOf(definition, options, Object.keys(measured.figures)),
    measures: [...measures, `benchmarks/src/${name}`],
    targets,
  };
}

function sizesOf(definition: Benchmark, options: Options, figures: readonly string[]): Record<string, string> {
  const size = definition.size(options);
  const beginnings = typeof size === 'string' ? { '': size } : size;
  const sizes = figures.map((figure) => {
    const [, text] = Object.entries(beginnings).find(([beginning]) => figure.startsWith(beginning)) ?? [];
    if (text === undefined) throw new Error(`expected a size for the figure "${figure}"`);
    return [figure, text] as const;
  });
  return Object.fromEntries(sizes);
}

/** @param place  `results` is kept in the repository, `out` is not */
export function writeResult(result: Result, place: 'results' | 'out'): string {
  const file = join(folder, place, `${result.benchmark}.json`);
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(file, jsonOf(result));
  return file;
}

/** The results in the repository, by the name of the file, which is that of the benchmark where it was run as usual. */
export function readResults(): (Result & { readonly file: string })[] {
  const names = readdirSync(join(folder, 'results')).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => ({
    ...(JSON.parse(readFileSync(join(folder, 'results', name), 'utf8')) as Result),
    file: name.slice(0, -'.json'.length),
  }));
}

/** The commits of a result, of one or several runs. */
export function commitsOf({ commit, commits = {} }: Result): string[] {
  return [commit, ...Object.values(commits)];
}

/** Four significant digits a number, one line a row. */
export function jsonOf(result: Result): string {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? roundedTo(value, 4) : value);
  const lines = JSON.stringify(result, rounded, 2);
  return lines.replace(/\{\n\s+([^{}]*?)\n\s+\}/g, (_, row: string) => `{ ${row.replace(/\n\s+/g, ' ')} }`) + '\n';
}

export function roundedTo(value: number, digits: number): number {
  return Math.abs(value) >= 10 ** (digits - 1) ? Math.round(value) : Number(value.toPrecision(digits));
}

function machine() {
  const processor = [...new Set(cpus().map(({ model }) => model.trim()))].join(', ');
  return { processor, cores: cpus().length, memoryGB: Math.round(totalmem() / 2 ** 30), node: process.version };
}
