import { colorForm, maxColors, type QueryColor } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { shown } from './text.ts';

export const colors: Reader<'colors'> = {
  read(raw, name, { description: rule }) {
    const texts = raw.texts(name);
    if (texts.length > maxColors) throw fail('BAD_PARAMETER', `${name}: expected ${rule}, got ${texts.length}`);
    return texts.length > 0 ? texts.map((text) => queryColor(text, name, rule)) : undefined;
  },
  expected: (name, { description: rule }) => `at least one of ${name}, ${rule}`,
};

function queryColor(text: string, name: string, rule: string): QueryColor {
  const [, hex, share] = colorForm.exec(text) ?? [];
  if (hex === undefined || Number(share ?? 0) > 100) {
    throw fail('BAD_PARAMETER', `${name}: expected ${rule}, got ${shown(text)}`);
  }
  const six = hex.length === 6 ? hex : hex.replace(/./g, '$&$&');
  return { rgb: parseInt(six, 16), share: share === undefined ? null : Number(share) };
}
