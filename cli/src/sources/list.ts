import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Metadata } from '@sosia/client';
import { parse } from 'csv-parse';
import { foldersOf, idOf } from './ids.ts';
import type { Entry, Passed, Plan } from './plan.ts';

/** One record of a list. */
interface Line {
  /** The first line of the record in its file, from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Reads the DNA of the record again from its file. */
  readonly dna?: () => Promise<Uint8Array>;
}

/** The records of a CSV file (RFC 4180), whose first line names the columns. */
export async function* csvLines(path: string): AsyncGenerator<Line> {
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true };
  const parser = createReadStream(path).pipe(parse({ ...options, record_delimiter: ['\r\n', '\n', '\r'] }));
  let names: string[] | undefined;
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (names) {
      const fields = Object.fromEntries(names.map((name, i) => [name, record[i] ?? '']));
      const breaks = record.join('').split(/\r\n|\n|\r/).length - 1;
      if (record.some((cell) => cell !== '')) yield { line: info.lines - breaks, fields };
      continue;
    }
    names = record.map((title) => title.trim());
    requirePath(names);
  }
  if (!names) requirePath([]);
}

function requirePath(names: readonly string[]): void {
  if (names.includes('path')) return;
  throw new Error(`the first line must name the columns, with path among them; got ${names.join(', ') || 'none'}`);
}

const LINE_FEED = 10;

/** The records of a file with one JSON object a line. An exported application may be larger than a text can be. */
export async function* jsonLines(path: string): AsyncGenerator<Line> {
  let [line, offset] = [1, 0];
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield* recordIn(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      offset += end + 1;
      line++;
    }
  }
  yield* recordIn(rest);

  function* recordIn(bytes: Buffer): Generator<Line> {
    const content = bytes.toString().trim();
    const place = { start: offset, length: bytes.length };
    if (content !== '') yield { line, fields: parsed(content), dna: () => dnaAt(path, place) };
  }
}

function parsed(content: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return { fault: 'not JSON' };
  }
}

async function dnaAt(path: string, { start, length }: { start: number; length: number }): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    return Buffer.from(String(parsed(buffer.toString())['dna']), 'base64');
  } finally {
    await file.close();
  }
}

/** The entries of a list, and its lines that cannot be used. */
export async function entriesIn(lines: AsyncIterable<Line>, source: string, fromFolders: boolean): Promise<Plan> {
  const entries: Entry[] = [];
  const passed: Passed[] = [];
  for await (const line of lines) {
    const entry = entryOf(line, dirname(source), fromFolders);
    if (typeof entry === 'string') passed.push({ path: `${source}:${line.line}`, why: entry, fault: true });
    else entries.push(entry);
  }
  return { entries, passed };
}

/** The entry of a line, or its fault. Paths are relative to the folder of the list. */
function entryOf({ fields, dna }: Line, root: string, fromFolders: boolean): Entry | string {
  const { image_id, path, keywords, fault } = fields;
  if (typeof fault === 'string') return fault;
  const given = keywordsIn(keywords);
  if (!given) return 'expected keywords as a list of texts, or as one text with ; between them';
  const metadata = metadataIn(fields);
  if (metadata === null) return 'expected metadata as a JSON object';
  const text = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (dna && text(fields['dna']) && text(image_id)) return { id: image_id, keywords: given, metadata, path: null, dna };
  if (!text(path)) return 'expected a path, or an image_id with a dna';
  const place = idOf(path.replaceAll('\\', '/').replace(/^\.\//, ''));
  const all = [...new Set([...given, ...(fromFolders ? foldersOf(place) : [])])];
  return { id: text(image_id) ? image_id : place, keywords: all, metadata, path: resolve(root, path), dna: null };
}

const METADATA_COLUMN = 'metadata.';

/** From a field `metadata`, or from columns `metadata.NAME`. Undefined if there is none, null if it is not a JSON object. */
function metadataIn(fields: Line['fields']): Metadata | undefined | null {
  const given = fields['metadata'] ?? '';
  if (given !== '') {
    const value = typeof given === 'string' ? jsonOr(given) : given;
    return typeof value === 'object' && !Array.isArray(value) ? (value as Metadata) : null;
  }
  const columns = Object.entries(fields).filter(([name, cell]) => name.startsWith(METADATA_COLUMN) && cell !== '');
  if (columns.length === 0) return undefined;
  return Object.fromEntries(columns.map(([name, cell]) => [name.slice(METADATA_COLUMN.length), jsonOr(String(cell))]));
}

/** The parsed value if the text is JSON, otherwise the text. */
function jsonOr(text: string): Metadata[string] {
  try {
    return JSON.parse(text) as Metadata[string];
  } catch {
    return text;
  }
}

function keywordsIn(value: unknown): string[] | null {
  const texts = typeof value === 'string' ? value.split(';').map((each) => each.trim()) : (value ?? []);
  if (!Array.isArray(texts) || !texts.every((each) => typeof each === 'string')) return null;
  return texts.filter((each) => each !== '');
}
