import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Measured, Options } from './benchmark.ts';

/** What one run measured, where and when: the content of `benchmarks/results/NAME.json`. */
export interface Result extends Measured, Pick<Benchmark, 'title' | 'kind' | 'about' | 'targets'> {
  readonly benchmark: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: ReturnType<typeof machine>;
  /** Mean number of runnable processes in the minute before the run began and before it ended; or in words. */
  readonly load: { readonly before: number; readonly after: number } | string;
  readonly options: Options;
}

const folder = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the benchmark and notes the circumstances. */
export async function measure(name: string, definition: Benchmark, options: Options): Promise<Result> {
  const { title, kind, about, targets = {} } = definition;
  const before = loadavg()[0]!;
  const measured = await definition.run(options);
  const unknown = Object.keys(targets).find((figure) => !(figure in measured.figures));
  if (unknown) throw new Error(`expected a figure for the target "${unknown}"`);
  return {
    benchmark: name,
    title,
    kind,
    about,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: machine(),
    load: { before, after: loadavg()[0]! },
    options,
    ...measured,
    targets,
  };
}

/** @param place  `results` is kept in the repository, `out` is not */
export function writeResult(result: Result, place: 'results' | 'out'): string {
  const file = join(folder, place, `${result.benchmark}.json`);
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(file, jsonOf(result));
  return file;
}

/** The results in the repository, by the name of the benchmark. */
export function readResults(): Result[] {
  const names = readdirSync(join(folder, 'results')).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, 'results', name), 'utf8')) as Result);
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

/** Marked where other sources were measured than those of the commit. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', ':(top)*.ts');
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' and changes' : '');
  } catch {
    return 'unknown';
  }
}
