import { columnsOf, cut, padded } from './columns.ts';

/**
 * C0 and C1 control characters, including the beginning of escape sequences, and those that change the direction of
 * text.
 */
const unprintable = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * With control characters as `\u001b`: names of files, ids and keywords are foreign text, which a terminal would
 * interpret.
 */
export function visible(text: string): string {
  return text.replace(unprintable, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON for programs, on stdout, one value a line. */
export function print(value: object): void {
  process.stdout.write(`${visible(JSON.stringify(value))}\n`);
}

/** Lines for people, on stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${lines(text)}\n`);
}

/** Lines for people, on stderr, separate from the output for programs. */
export function logLine(text: string): void {
  process.stderr.write(`${lines(text)}\n`);
}

/** What was done: JSON on stdout for programs, or a line for people. */
export function printOutcome(json: boolean | undefined, value: object, line: string): void {
  if (json) print(value);
  else logLine(line);
}

/** Empties the line of the cursor on a terminal, such as that of a progress bar. */
export function eraseLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** Escaped except for line breaks; so a text with a name that may contain one needs `visible` for the name. */
function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** `1 picture`, `3 pictures`, `3 searches`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : /[cs]h$/.test(what) ? 'es' : 's'}`;
}

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

/** The message of any thrown value, for people. */
export function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, port, address, path } = cause as { code?: string; port?: number; address?: string; path?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} of ${address} is taken; another one can be given with --modify-port or --query-port`;
  if (code === 'EACCES' && port !== undefined) return `port ${port} of ${address} may not be opened`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine`;
  if (code === 'ENOENT' && path !== undefined) return `there is no file or folder ${path}`;
  if (code === 'EISDIR') return `expected a file, got a folder${path === undefined ? '' : ` ${path}`}`;
  return cause.message;
}
