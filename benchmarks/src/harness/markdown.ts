import type { Row, Target } from './benchmark.ts';
import { ageOf } from './history.ts';
import { type Result, roundedTo } from './result.ts';

/** A whole result, as it is printed after the run. */
export function reportOf(result: Result): string {
  const tables = Object.entries(result.tables ?? {}).flatMap(([title, rows]) => [
    `### ${title}`,
    rows.length > 0 ? tableOf(rows) : 'none',
  ]);
  return [sectionOf(result), ...tables].join('\n\n');
}

/** What docs/benchmarks.md shows of a result: a line for each figure, with its size, commit and age. */
export function sectionOf(result: Result, age: typeof ageOf = ageOf): string {
  const { title, kind, about, benchmark, date, machine, load, figures } = result;
  const where = kind === 'speed' ? `; ${machineText(machine)}, ${loadText(load)}` : '';
  const lines = Object.keys(figures)
    .filter((name) => !(name.includes(HIGH) && name.replace(HIGH, 'median') in figures)) // in the line of the median
    .map((name) => lineOf(result, name, age));
  return [`## ${title}`, about, `\`${benchmark}\` ${date}${where}:`, lines.join('\n')].join('\n\n');
}

/** In the name of a figure that says how high nearly all samples are, beside their median. */
const HIGH = '95 %';

function lineOf({ figures, targets = {}, sizes, commits, commit, measures }: Result, name: string, age: typeof ageOf) {
  const value = figures[name]!;
  const high = name.includes('median') ? figures[name.replace('median', HIGH)] : undefined;
  const most = high === undefined ? '' : `, ${HIGH} ${number(high)}`;
  const target = targets[name];
  const aim = target
    ? ` (${target.replace('>= ', '≥').replace('<= ', '≤')}${isHeld(value, target) ? '' : ', **missed**'})`
    : '';
  const measuredAt = commits?.[name] ?? commit;
  return `- ${name}: ${number(value)}${most}${aim}; ${sizes[name]}; ${measuredAt}${ageMarks[age(measuredAt, measures)]}`;
}

const ageMarks = { recent: '', old: ', **old**', unknown: ', age unknown' } as const;

/** The page says once that there are two cores. */
function machineText({ processor, cores }: Result['machine']): string {
  const name = processor.replaceAll(/\(R\)| Processor| @/g, '');
  return cores === 2 ? name : `${name}, ${cores} cores`;
}

function loadText(load: Result['load']): string {
  if (!load) return 'load unknown';
  if (load.others !== undefined) return `others ${Math.round(100 * load.others)} %`;
  return `load ${number(load.before)} to ${number(load.after)}`;
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
