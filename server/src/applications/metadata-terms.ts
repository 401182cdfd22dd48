import { createHash } from 'node:crypto';
import type { Condition, Metadata, Scalar } from '@sosia/contract';
import type { NewImage } from '../store/store.ts';

/** Starts a term, and separates its path from its value. Clients' keywords have no control characters, so terms sort before them. */
const MARK = '\u001f';
/** Follows a space in the order of bytes. */
const AFTER_SPACE = '!';
/** The term of a longer text is a digest, which conditions of equality alone find, so that terms stay short. */
const MAX_TEXT_BYTES = 100;

/** Terms from the first one, up to but without the second one, by their bytes. */
export type TermRange = readonly [from: string, to: string];

export interface Wanted {
  /** And single terms. */
  readonly keywords: readonly string[];
  readonly ranges: readonly TermRange[];
}

/**
 * The picture as it is stored: with the terms of its metadata among its keywords, so that conditions on metadata are
 * keywords and ranges of keywords. Terms that it has already are derived again.
 */
export function withTerms<T extends Pick<NewImage, 'keywords' | 'details'>>(image: T): T {
  const keywords = ownKeywords(image.keywords);
  const { metadata } = image.details ?? {};
  return { ...image, keywords: metadata ? [...keywords, ...termsOf(metadata)] : keywords };
}

/** Without terms of metadata. */
export function ownKeywords(stored: readonly string[]): readonly string[] {
  return stored.some(isTerm) ? stored.filter((each) => !isTerm(each)) : stored;
}

function isTerm(keyword: string): boolean {
  return keyword.startsWith(MARK);
}

/** What a keyword index looks for: a condition is a term that a picture has, or a range in which it has one. */
export function termOf({ path, comparison, value }: Condition): string | TermRange {
  if (comparison === 'present') return pathTerm(path);
  if (comparison === '=') return valueTerm(path, value);
  const kind = pathTerm(path) + MARK + kindOf(value);
  const bound = kind + payload(value);
  const [first, end] = [kind, kind.slice(0, -1) + AFTER_SPACE];
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

/** What a keyword index looks for of keywords and conditions. */
export function wantedOf(keywords: readonly string[], where: readonly Condition[]): Wanted {
  const terms = where.map(termOf);
  return {
    keywords: [...keywords, ...terms.filter((each) => typeof each === 'string')],
    ranges: terms.filter((each) => typeof each !== 'string'),
  };
}

/** Whether a picture has all. @param own  its keywords, with the terms of its metadata */
export function hasAll(own: readonly string[], { keywords, ranges }: Wanted): boolean {
  return (
    keywords.every((keyword) => own.includes(keyword)) &&
    ranges.every(([from, to]) => own.some((each) => !isBefore(each, from) && isBefore(each, to)))
  );
}

/** By their bytes. */
function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
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

/** Texts that sort as the values of a kind do. */
function payload(value: Scalar): string {
  return typeof value === 'number' ? inOrder(value) : String(value);
}

/** 16 hexadecimal digits of a double's bits, changed so that they sort as the numbers do. */
function inOrder(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value + 0); // -0 is 0
  const flip = bytes[0]! & 0x80 ? 0xff : 0;
  bytes.forEach((byte, i) => (bytes[i] = byte ^ flip));
  if (!flip) bytes[0]! |= 0x80;
  return bytes.toString('hex');
}
