import type { Row, Target } from './benchmark.ts';
import { type Result, roundedTo } from './result.ts';

/** A whole result, as it is printed after the run. */
export function reportOf(result: Result): string {
  const tables = Object.entries(result.tables ?? {}).flatMap(([title, rows]) => [
    `### ${title}`,
    rows.length > 0 ? tableOf(rows) : 'none',
  ]);
  return [sectionOf(result), ...tables].join('\n\n');
}

/** What docs/benchmarks.md shows of a result. */
export function sectionOf({
  title,
  kind,
  about,
  benchmark,
  date,
  commit,
  machine,
  load,
  figures,
  targets = {},
}: Result): string {
  const busy = typeof load === 'string' ? load : `load ${number(load.before)} to ${number(load.after)}`;
  const lines = Object.entries(figures).map(([name, value]) => {
    const target = targets[name];
    const aim = target
      ? ` (${target.replace('>= ', '≥').replace('<= ', '≤')}${isHeld(value, target) ? '' : ', **missed**'})`
      : '';
    return `- ${name}: ${number(value)}${aim}`;
  });
  return [
    `## ${title}`,
    about,
    `\`${benchmark}\` ${date} ${commit}${kind === 'speed' ? `; ${machine.processor}, ${machine.cores} cores, ${busy}` : ''}:`,
    lines.join('\n'),
  ].join('\n\n');
}

/** The first column is left-aligned, the others right. */
export function tableOf(rows: readonly Row[]): string {
  const heads = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => heads.map((head) => cell(row[head])));
  return [line(heads), line(heads.map((_, i) => (i === 0 ? ':--' : '--:'))), ...cells.map(line)].join('\n');
}

export function isHeld(value: number, target: Target): boolean {
  const limit = Number(target.slice(3));
  return target.startsWith('>=') ? value >= limit : value <= limit;
}

/** JSON has null for what is not finite. */
function cell(content: string | number | null | undefined): string {
  return typeof content === 'string' ? content : number(content ?? NaN);
}

function number(value: number): string {
  return Number.isFinite(value) ? String(roundedTo(value, 3)) : '–';
}
