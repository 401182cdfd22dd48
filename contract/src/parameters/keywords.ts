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

/** An operation receives an empty list where a request has no keywords. */
export const keywords = parameter('keywords', { ...annotations, default: [] });

export const someKeywords = parameter('keywords', { ...annotations, minItems: 1 });
