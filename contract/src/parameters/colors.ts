import { parameter } from './parameter.ts';

export const maxColors = 100;

/** Groups: the digits of the colour, the share. */
export const colorForm = /^#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})(?:@(\d{1,3}))?$/;

const annotations = {
  type: 'array',
  items: { type: 'string', pattern: colorForm.source },
  maxItems: maxColors,
  description:
    '`rrggbb` or `rrggbb@share`, six hexadecimal digits or three (`abc` is `aabbcc`), `#` before them or not, and a share of 0 to 100 per cent; at most 100',
  examples: ['0a3d62@40'],
} as const;

/** An operation receives an empty list where a request names no colour. */
export const colors = parameter('colors', { ...annotations, default: [] });

export const someColors = parameter('colors', { ...annotations, minItems: 1 });
