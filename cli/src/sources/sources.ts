import { closeSync, openSync, readFileSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { readCsv } from './csv.ts';

/** A picture that is to be added. */
export interface Entry {
  readonly id: string;
  readonly keywords: readonly string[];
  /** Of its file; null for an entry that brings its DNA. */
  readonly path: string | null;
  readonly dna: Uint8Array | null;
}

/** A line of the report: what is not added, or hardly worth it, and why. */
export interface Passed {
  readonly path: string;
  readonly image_id?: string;
  /** Of docs/errors.md, where the service refused. */
  readonly code?: number;
  readonly grade?: number | null;
  readonly why: string;
  /** Whether it was meant to be added: a line of a list that cannot be used, not a text file in a folder. */
  readonly fault: boolean;
}

export interface Plan {
  readonly entries: readonly Entry[];
  readonly passed: readonly Passed[];
}

/**
 * What there is to add.
 * @param source  a folder, or a list that ends in `.csv` or `.jsonl`
 * @param fromFolders  whether the names of folders become keywords
 * @throws Error for a source that is not there or is none of these
 */
export function planOf(source: string, fromFolders: boolean): Plan {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new Error(`there is no ${source}`);
  if (found.isDirectory()) return distinct(walk(source, fromFolders));
  const kind = extname(source).toLowerCase();
  if (kind !== '.csv' && kind !== '.jsonl')
    throw new Error(`expected a folder, a .csv or a .jsonl file, got ${source}`);
  try {
    const text = readFileSync(source, 'utf8');
    return distinct(listed(kind === '.csv' ? csvLines(text) : jsonLines(text), source, fromFolders));
  } catch (cause) {
    throw new Error(`${source}: ${(cause as Error).message}`, { cause });
  }
}

function walk(root: string, fromFolders: boolean): Plan {
  const entries: Entry[] = [];
  const passed: Passed[] = [];
  const home = realpathSync(root);
  const visit = (folder: string): void => {
    const inside = readdirSync(folder, { withFileTypes: true });
    for (const item of inside.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, item.name);
      const why = item.name.startsWith('.') ? 'hidden' : reasonAgainst(path, item.isSymbolicLink() ? home : null);
      if (why === 'a folder') visit(path);
      else if (why) passed.push({ path, why, fault: why.startsWith('cannot') });
      else entries.push(entryAt(path, root, fromFolders));
    }
  };
  visit(root);
  return { entries, passed };
}

export const LEADS_OUT = 'a link that leads out of the folder';

/** @param home  what a link must not lead out of; null for a path that is no link */
function reasonAgainst(path: string, home: string | null): string | null {
  try {
    const found = statSync(path);
    // somebody else's folder of pictures could otherwise bring in any file of this machine
    if (home !== null && !realpathSync(path).startsWith(home.endsWith(sep) ? home : home + sep)) return LEADS_OUT;
    if (found.isDirectory()) return home === null ? 'a folder' : 'a link to a folder';
    if (!found.isFile()) return 'no file';
    return /\.(jpe?g|png|webp|gif|bmp|tiff?|hei[cf]|avif)$/i.test(path) || startsAsPicture(path) ? null : 'no picture';
  } catch (cause) {
    return `cannot be read: ${(cause as Error).message}`;
  }
}

const beginnings = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF[^]{4}WEBP|BM[^]{4}\0\0|II\*\0|MM\0\*|[^]{4}ftyp(hei|mif|avi))/;

/** Pictures without a suffix are pictures too. */
function startsAsPicture(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return beginnings.test(bytes.toString('latin1', 0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

function entryAt(path: string, root: string, fromFolders: boolean): Entry {
  const id = idOf(relative(root, path).split(sep).join('/'));
  return { id, keywords: fromFolders ? foldersOf(id) : [], path, dna: null };
}

/** The one character that file names have and ids cannot becomes `_`. */
function idOf(place: string): string {
  return place.normalize('NFC').replaceAll(';', '_');
}

/** The folders on a way, as keywords: characters that keywords cannot have become `_`. */
function foldersOf(id: string): string[] {
  const folders = id.split('/').slice(0, -1);
  return [
    ...new Set(folders.map((name) => name.replace(/[;*()[\]]/g, '_')).filter((name) => name !== '.' && name !== '..')),
  ];
}

interface Line {
  readonly line: number;
  readonly fields: Record<string, unknown>;
}

function csvLines(text: string): Line[] {
  const [titles, ...rows] = readCsv(text);
  const names = titles?.cells.map((title) => title.trim()) ?? [];
  if (!names.includes('path'))
    throw new Error(`the first line must name the columns image_id, path, keywords; got ${names.join(', ')}`);
  return rows.map(({ cells, line }) => ({
    line,
    fields: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])),
  }));
}

function jsonLines(text: string): Line[] {
  const lines = text.split('\n').map((content, index) => ({ content: content.trim(), line: index + 1 }));
  return lines.filter(({ content }) => content !== '').map(({ content, line }) => ({ line, fields: parsed(content) }));
}

function parsed(content: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return { fault: 'not JSON' };
  }
}

function listed(lines: readonly Line[], source: string, fromFolders: boolean): Plan {
  const entries: Entry[] = [];
  const passed: Passed[] = [];
  for (const { line, fields } of lines) {
    const entry = entryOf(fields, dirname(source), fromFolders);
    if (typeof entry === 'string') passed.push({ path: `${source}:${line}`, why: entry, fault: true });
    else entries.push(entry);
  }
  return { entries, passed };
}

/** The entry of a line, or what is wrong with it. Paths are taken from the folder of the list. */
function entryOf(
  { image_id, path, keywords, dna, fault }: Record<string, unknown>,
  root: string,
  fromFolders: boolean,
): Entry | string {
  if (typeof fault === 'string') return fault;
  const given = keywordsIn(keywords);
  if (!given) return 'expected keywords as a list of texts, or as one text with ; between them';
  const text = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (text(dna) && text(image_id))
    return { id: image_id, keywords: given, path: null, dna: Buffer.from(dna, 'base64') };
  if (!text(path)) return 'expected a path, or an image_id with a dna';
  const place = idOf(path.replaceAll('\\', '/').replace(/^\.\//, ''));
  const all = [...new Set([...given, ...(fromFolders ? foldersOf(place) : [])])];
  return { id: text(image_id) ? image_id : place, keywords: all, path: resolve(root, path), dna: null };
}

function keywordsIn(value: unknown): string[] | null {
  const texts = typeof value === 'string' ? value.split(';').map((each) => each.trim()) : (value ?? []);
  if (!Array.isArray(texts) || !texts.every((each) => typeof each === 'string')) return null;
  return texts.filter((each) => each !== '');
}

/** Of two entries with one id, the second would be taken for one that is there already. */
function distinct({ entries, passed }: Plan): Plan {
  const first = new Map<string, Entry>();
  const again: Passed[] = [];
  for (const entry of entries) {
    const other = first.get(entry.id);
    if (!other) first.set(entry.id, entry);
    else
      again.push({
        path: entry.path ?? entry.id,
        why: `the id ${entry.id} is that of ${other.path ?? 'another line'}`,
        fault: true,
      });
  }
  return { entries: [...first.values()], passed: [...passed, ...again] };
}
