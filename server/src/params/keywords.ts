import { fail } from '../errors.ts';
import type { Param } from './param.ts';
import { shown } from './param.ts';
import { nameFault } from './text.ts';

const maxBytes = 255;
const maxKeywords = 100;

export const keywordRule =
  '1 to 255 bytes of UTF-8 in normalization form C, without control characters and `;*()[]`; at most 100, duplicates count once';

const keywordSchema = {
  type: 'string',
  minLength: 1,
  maxLength: maxBytes,
  pattern: '^[^;*()\\[\\]\\u0000-\\u001f\\u007f-\\u009f]+$',
};

/** Every keyword once, in the order of its first coming. Fails with BAD_KEYWORD, BAD_PARAMETER, TOO_MANY_KEYWORDS. */
export function checkKeywords(texts: readonly string[]): string[] {
  const keywords = [...new Set(texts)];
  for (const keyword of keywords) checkKeyword(keyword);
  if (keywords.length > maxKeywords) {
    throw fail('TOO_MANY_KEYWORDS', `expected at most ${maxKeywords}, got ${keywords.length}`);
  }
  return keywords;
}

function checkKeyword(keyword: string): void {
  const fault = nameFault(keyword, /[;*()[\]]/);
  if (fault) throw fail('BAD_KEYWORD', `got ${fault} in ${shown(keyword)}`);

  const bytes = Buffer.byteLength(keyword);
  if (bytes > maxBytes) {
    throw fail('BAD_PARAMETER', `keywords: expected at most ${maxBytes} bytes, got ${bytes}, ${shown(keyword)}`);
  }
}

export function keywords({ required = false } = {}): Param<readonly string[]> {
  return {
    type: 'list of string',
    required,
    rule: `each ${keywordRule}`,
    schema: { type: 'array', items: keywordSchema, maxItems: maxKeywords, ...(required && { minItems: 1 }) },
    example: 'holiday',
    read(given, name) {
      const found = checkKeywords(given.texts(name));
      if (required && found.length === 0) throw fail('MISSING_PARAMETER', `expected at least one of ${name}`);
      return found;
    },
  };
}
