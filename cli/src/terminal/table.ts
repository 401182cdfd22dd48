import { columnsOf, cut, padded } from './columns.ts';
import { counted, logLine, visible } from './output.ts';

/** A value, in whose text control characters are made visible, or an escape sequence of our own. */
export type Cell = string | number | boolean | { readonly sequence: string } | undefined;

/** Lines with the cells of all rows in columns. Every row has the same number of cells. */
export function aligned(cells: readonly (readonly Cell[])[]): string {
  const rows = cells.map(shown);
  const widths = widthsOf(rows);
  return rows.map((row) => line(row, widths)).join('');
}

/**
 * A table on stdout for people, with the names of the values as dim titles; nothing without a row. On a terminal the
 * longest texts are shortened in their middle, so that each line fits. In a file or a pipe everything is complete.
 */
export function writeTable(records: readonly Readonly<Record<string, Cell>>[]): void {
  if (records.length === 0) return;
  const titles = Object.keys(records[0]!);
  const rows = records.map((record) => shown(titles.map((title) => record[title])));
  const widths = widthsOf([titles, ...rows]);
  if (process.stdout.isTTY) fit(widths, process.stdout.columns);
  process.stdout.write(dim(line(titles, widths)));
  for (const row of rows) process.stdout.write(line(row, widths));
}

/** A table, and on stderr the number of its rows. @param what  a row, such as `webhook` */
export function writeList<T>(what: string, list: readonly T[], rowOf: (each: T) => Record<string, Cell>): void {
  logLine(counted(list.length, what));
  writeTable(list.map(rowOf));
}

/** Named values below each other, on stdout. */
export function writeFields(fields: Readonly<Record<string, string | number>>): void {
  process.stdout.write(aligned(Object.entries(fields).map(([name, value]) => [name, String(value)])));
}

function shown(row: readonly Cell[]): string[] {
  return row.map((cell) => (typeof cell === 'object' ? cell.sequence : visible(String(cell ?? ''))));
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column]!))));
}

const GAP = 2;
const LEAST = 8;

/** Shrinks the widest column until all fit. */
function fit(widths: number[], most: number): void {
  for (let sum = widths.reduce((all, width) => all + width + GAP, -GAP); sum > most; sum--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= LEAST) return;
    widths[widest]!--;
  }
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) => padded(cut(cell, widths[column]!), widths[column]!));
  return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`;
}

function dim(text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? `\x1b[2m${text.trimEnd()}\x1b[0m\n` : text;
}
