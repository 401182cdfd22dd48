import { maxKeywordBytes, maxKeywords } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { nameFault, shown } from './text.ts';

export const keywords: Reader<'keywords'> = {
  read(raw, name) {
    const found = checkKeywords(raw.texts(name));
    return found.length > 0 ? found : undefined;
  },
  expected: (name) => `at least one of ${name}`,
};

/**
 * Every keyword once, in the order of the first occurrences. Fails with BAD_KEYWORD, BAD_PARAMETER, TOO_MANY_KEYWORDS.
 */
function checkKeywords(texts: readonly string[]): string[] {
  const keywords = [...new Set(texts)];
  for (const keyword of keywords.slice(0, maxKeywords + 1)) checkKeyword(keyword);
  if (keywords.length > maxKeywords) {
    throw fail('TOO_MANY_KEYWORDS', `expected at most ${maxKeywords}, got ${keywords.length}`);
  }
  return keywords;
}

function checkKeyword(keyword: string): void {
  const fault = nameFault(keyword, /[;*()[\]]/);
  if (fault) throw fail('BAD_KEYWORD', `got ${fault} in ${shown(keyword)}`);

  const bytes = Buffer.byteLength(keyword);
  if (bytes > maxKeywordBytes) {
    throw fail('BAD_PARAMETER', `keywords: expected at most ${maxKeywordBytes} bytes, got ${bytes}, ${shown(keyword)}`);
  }
}
