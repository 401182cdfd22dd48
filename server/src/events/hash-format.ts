import type { HashFormat } from '@sosia/contract';
import { PDQ_BYTES } from '@sosia/engine';
import { fail } from '../errors.ts';
import { charactersIn, hasControlCharacter, shown, strictText } from '../parameters/text.ts';

/** Characters of a label, and of a line. */
const [MAX_LABEL, MAX_LINE] = [255, 10_000];

/** Names and values of a JSON text: 100,000 entries of 30. */
const MAX_VALUES = 3_000_000;

/** Names of columns and fields: those of ThreatExchange, of its programs, and of `sosia hash`. */
const names = {
  hash: ['hash', 'pdq', 'signal_str', 'indicator', 'td_raw_indicator'],
  quality: ['quality'],
  label: ['label', 'id', 'file', 'filename', 'name', 'tags', 'td_subjective_tags'],
  kind: ['signal_type', 'type', 'td_indicator_type'],
} as const;
const kinds = ['pdq', 'hash_pdq'];

/** A hash as text, with what a list may say of it. */
export interface HashEntry {
  /** 64 hexadecimal digits in lower case. */
  readonly pdq: string;
  /** 0 to 100. */
  readonly quality?: number;
  readonly label?: string;
}

export interface ParsedHashes {
  /** 32 bytes each. */
  readonly hashes: Uint8Array;
  /** Empty, or a line for each hash: its quality, a comma, its label. */
  readonly notes: Uint8Array;
  /** Entries of another kind. */
  readonly skipped: number;
}

/** One value of an entry under each name, as it is read. */
type Raw = { readonly [Name in keyof typeof names]?: unknown };

/** Reads a list in any of the formats. Fails with BAD_TEXT, or with BAD_HASHES, which names the first wrong line or entry. */
export function parseHashes(file: Uint8Array): ParsedHashes {
  const text = strictText(file, 'hashes').replace(/^\ufeff/, '');
  const isJson = /^\s*[[{]/.test(text);
  const digits: string[] = [];
  const notes: string[] = [];
  let skipped = 0;
  for (const [place, raw] of isJson ? jsonEntries(text) : lineEntries(text)) {
    // oxlint-disable-next-line typescript/no-base-to-string -- an object is of none of the kinds
    if (raw.kind !== undefined && !kinds.includes(String(raw.kind).toLowerCase())) skipped++;
    else {
      const { pdq, quality, label } = checked(raw, `${isJson ? 'entry' : 'line'} ${place}`);
      digits.push(pdq);
      notes.push(`${quality ?? ''},${label ?? ''}`);
    }
  }
  const isNoted = notes.some((note) => note !== ',');
  return {
    hashes: Uint8Array.from(Buffer.from(digits.join(''), 'hex')),
    notes: new TextEncoder().encode(isNoted ? `${notes.join('\n')}\n` : ''),
    skipped,
  };
}

/** A hash of a request. Fails with BAD_HASHES. */
export function hashOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(checked({ hash: text }, 'pdq').pdq, 'hex'));
}

function checked({ hash, quality, label = '' }: Raw, place: string): HashEntry {
  // oxlint-disable-next-line typescript/no-base-to-string -- an object is no hash, and refused
  const pdq = String(hash ?? '').trim();
  if (!/^[0-9a-f]{64}$/i.test(pdq)) {
    const length = pdq.length === 2 * PDQ_BYTES ? '' : `, ${pdq.length} characters`;
    throw fail('BAD_HASHES', `${place}: expected ${2 * PDQ_BYTES} hexadecimal digits, got ${shown(pdq)}${length}`);
  }
  // oxlint-disable-next-line typescript/no-base-to-string -- as above
  const number = String(quality ?? '').trim();
  if (!/^\d{0,3}$/.test(number) || Number(number) > 100)
    throw fail('BAD_HASHES', `${place}: expected a quality of 0 to 100, got ${shown(number)}`);
  const name = String(label);
  if (charactersIn(name) > MAX_LABEL || hasControlCharacter(name)) {
    const expected = `a label of at most ${MAX_LABEL} characters, none of them a control character`;
    throw fail('BAD_HASHES', `${place}: expected ${expected}, got ${shown(name)}`);
  }
  return { pdq: pdq.toLowerCase(), ...(number && { quality: Number(number) }), ...(name && { label: name }) };
}

function* jsonEntries(text: string): Generator<[place: number, raw: Raw]> {
  let values = 0;
  for (const character of text) if (',:'.includes(character)) values++;
  if (values > MAX_VALUES) throw fail('BAD_HASHES', `expected at most ${MAX_VALUES} values, got ${values}`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw fail('BAD_HASHES', `expected JSON: ${(cause as Error).message.slice(0, 100)}`);
  }
  const data = Array.isArray(given) ? (given as unknown[]) : (given as { readonly data?: unknown }).data;
  if (!Array.isArray(data)) throw fail('BAD_HASHES', 'expected a list, or an object with the list `data`');
  for (const [i, each] of data.entries()) {
    const fields = Object(each) as Record<string, unknown>;
    if (typeof each === 'string') yield [i + 1, { hash: each }];
    else if (fields['should_delete'] === true) yield [i + 1, { kind: 'deleted' }];
    else yield [i + 1, rawOf((name) => textOf(fields[name]))];
  }
}

/** Tags are a list of texts, or as ThreatExchange has them: `{"data": [{"text": …}]}`. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const { data = value, text } = Object(value) as { readonly data?: unknown; readonly text?: unknown };
  return Array.isArray(data) ? data.map(textOf).join(' ') : text === undefined ? undefined : textOf(text);
}

function* lineEntries(text: string): Generator<[place: number, raw: Raw]> {
  let columns: readonly string[] | undefined;
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = text.indexOf('\n', start) >= 0 ? text.indexOf('\n', start) : text.length;
    if (end - start > MAX_LINE) throw fail('BAD_HASHES', `line ${line}: expected at most ${MAX_LINE} characters`);
    const content = text.slice(start, end).trim();
    start = end + 1;
    if (content === '') continue;
    const fields = fieldsOf(content, line);
    const headings = fields.map((field) => field.trim().toLowerCase());
    const isHeading = !columns && names.hash.some((name) => headings.includes(name));
    columns ??= isHeading ? headings : [];
    const at = columns;
    if (isHeading) continue;
    yield [line, at.length > 0 ? rawOf((name) => fields[at.indexOf(name)]) : withoutColumns(fields)];
  }
}

/** `hash,quality,label`; with four fields `hash,id,time,tags`, as the samples of Hasher-Matcher-Actioner; `pdq hash`. */
function withoutColumns([first = '', second, third, fourth]: readonly string[]): Raw {
  const hash = first.replace(/^pdq\s+/i, '');
  return fourth === undefined ? { hash, quality: second, label: third } : { hash, label: second };
}

/** The first value that is there under any of the names. */
function rawOf(value: (name: string) => unknown): Raw {
  const rows = Object.entries(names).map(([field, all]) => {
    const found = all.map(value).find((each) => each !== undefined && each !== '');
    return [field, found] as const;
  });
  return Object.fromEntries(rows);
}

function fieldsOf(line: string, number: number): string[] {
  if (!line.includes('"')) return line.split(',');
  const field = /"((?:[^"]|"")*)"|([^,"]*)/y;
  const fields: string[] = [];
  for (;;) {
    const [, quoted, plain] = field.exec(line)!;
    fields.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (field.lastIndex === line.length) return fields;
    if (line[field.lastIndex++] !== ',') throw fail('BAD_HASHES', `line ${number}: expected a comma behind a field`);
  }
}

/** The text of a part of a list. @param first  whether it is the first one, which has the names of the columns */
export function textOfHashes(entries: readonly HashEntry[], format: HashFormat, first: boolean): string {
  if (format === 'text') return entries.map(({ pdq }) => `${pdq}\n`).join('');
  const lines = entries.map(({ pdq, quality = '', label = '' }) => `${pdq},${quality},${quotedOf(label)}\n`);
  return `${first ? 'hash,quality,label\n' : ''}${lines.join('')}`;
}

function quotedOf(text: string): string {
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
