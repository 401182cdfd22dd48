import { parameter } from './parameter.ts';

export const maxKeywordBytes = 255;
export const maxKeywords = 100;

const rule =
  '1 to 255 bytes of UTF-8 in normalization form C, without control characters and `;*()[]`; at most 100, duplicates count once';

const annotations = {
  type: 'array',
  items: {
    type: 'string',
    minLength: 1,
    maxLength: maxKeywordBytes,
    pattern: '^[^;*()\\[\\]\\u0000-\\u001f\\u007f-\\u009f]+$',
  },
  maxItems: maxKeywords,
  description: `each ${rule}`,
  examples: ['holiday'],
} as const;

/** The keywords of a picture. An operation receives an empty list where a request has none. */
export const keywords = parameter('keywords', { ...annotations, default: [] });

const restricts = `restricts the operation to pictures that have all of them; each ${rule}`;

/** Keywords that restrict an operation to the pictures that have them. */
export const withKeywords = parameter('keywords', { ...annotations, description: restricts, default: [] });

export const someKeywords = parameter('keywords', { ...annotations, description: restricts, minItems: 1 });
