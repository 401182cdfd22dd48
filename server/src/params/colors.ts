import { fail } from '../errors.ts';
import type { Param } from './param.ts';
import { shown } from './param.ts';

/** A colour asked for, and the share of the picture it should fill. */
export interface AskedColor {
  /** 0xrrggbb */
  readonly rgb: number;
  /** 0 to 100 per cent; null where the request leaves it open. */
  readonly share: number | null;
}

const maxColors = 100;
const form = /^#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})(?:@(\d{1,3}))?$/;
const rule =
  '`rrggbb` or `rrggbb@share`, six hexadecimal digits or three (`abc` is `aabbcc`), `#` before them or not, and a share of 0 to 100 per cent; at most 100';

export function colors({ required = false } = {}): Param<readonly AskedColor[]> {
  return {
    type: 'list of string',
    required,
    rule,
    schema: {
      type: 'array',
      items: { type: 'string', pattern: form.source },
      maxItems: maxColors,
      ...(required && { minItems: 1 }),
    },
    example: '0a3d62@40',
    read(given, name) {
      const texts = given.texts(name);
      if (required && texts.length === 0) throw fail('MISSING_PARAMETER', `expected at least one of ${name}, ${rule}`);
      if (texts.length > maxColors) throw fail('BAD_PARAMETER', `${name}: expected ${rule}, got ${texts.length}`);
      return texts.map((text) => askedColor(text, name));
    },
  };
}

function askedColor(text: string, name: string): AskedColor {
  const [, hex, share] = form.exec(text) ?? [];
  if (hex === undefined || Number(share ?? 0) > 100) {
    throw fail('BAD_PARAMETER', `${name}: expected ${rule}, got ${shown(text)}`);
  }
  const six = hex.length === 6 ? hex : hex.replace(/./g, '$&$&');
  return { rgb: parseInt(six, 16), share: share === undefined ? null : Number(share) };
}
