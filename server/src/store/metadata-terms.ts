import { createHash } from 'node:crypto';
import type { Condition, Metadata, Scalar } from '@sosia/contract';
import type { NewImage } from './store.ts';

/** Begins a term, and parts its path from its value. Keywords of clients have no control characters. */
const MARK = '\u001f';
/** Longer texts have a term for equality alone, so that the terms of a picture stay small. */
const MAX_TEXT_BYTES = 100;

/** Terms from the first one, up to but without the second one, by their bytes. */
export type TermRange = readonly [from: string, to: string];

/**
 * The keywords that are stored of a picture: its own, and the terms of its metadata. So conditions on metadata are
 * keywords and ranges of them. Terms among the given keywords are made anew.
 */
export function storedKeywords({ keywords, details }: Pick<NewImage, 'keywords' | 'details'>): readonly string[] {
  const own = ownKeywords(keywords);
  return details?.metadata ? [...own, ...termsOf(details.metadata)] : own;
}

/** Without terms of metadata. */
export function ownKeywords(stored: readonly string[]): readonly string[] {
  return stored.some(isTerm) ? stored.filter((each) => !isTerm(each)) : stored;
}

export function isTerm(keyword: string): boolean {
  return keyword.startsWith(MARK);
}

/** What a keyword index looks for: a condition is a term that a picture has, or a range in which it has one. */
export function termOf({ path, comparison, value }: Condition): string | TermRange {
  if (comparison === 'present') return pathTerm(path);
  if (comparison === '=') return valueTerm(path, value);
  const kind = pathTerm(path) + MARK + kindOf(value);
  const bound = kind + payload(value);
  const [first, end] = [kind, kind + '\u{10ffff}'];
  switch (comparison) {
    case '<':
      return [first, bound];
    case '<=':
      return [first, after(bound)];
    case '>':
      return [after(bound), end];
    case '>=':
      return [bound, end];
  }
}

/** A term for each path, and one for each value. */
function termsOf(metadata: Metadata): string[] {
  const terms = new Set<string>();
  const visit = (path: string, value: unknown): void => {
    if (path !== '') terms.add(pathTerm(path));
    if (Array.isArray(value)) for (const each of value) visit(path, each);
    else if (typeof value !== 'object' || value === null) terms.add(valueTerm(path, value as Scalar));
    else for (const [name, each] of Object.entries(value)) visit(path === '' ? name : `${path}.${name}`, each);
  };
  visit('', metadata);
  return [...terms];
}

/** The least text that is greater. */
const after = (text: string): string => `${text}\u0000`;

const pathTerm = (path: string): string => MARK + path;

function valueTerm(path: string, value: Scalar): string {
  const isLong = typeof value === 'string' && Buffer.byteLength(value) > MAX_TEXT_BYTES;
  const end = isLong
    ? `long ${createHash('sha256').update(value).digest('base64url')}`
    : kindOf(value) + payload(value);
  return pathTerm(path) + MARK + end;
}

const kindOf = (value: Scalar): string => `${value === null ? 'null' : typeof value} `;

/** Texts in the order of the values of a kind. */
function payload(value: Scalar): string {
  return typeof value === 'number' ? inOrder(value) : String(value);
}

/** 16 digits: the bits of a double, turned so that their order is that of the numbers. */
function inOrder(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value + 0); // -0 is 0
  const flip = bytes[0]! & 0x80 ? 0xff : 0;
  bytes.forEach((byte, i) => (bytes[i] = byte ^ flip));
  if (!flip) bytes[0]! |= 0x80;
  return bytes.toString('hex');
}
