import { parameter } from './parameter.ts';

interface Options {
  readonly example: string;
  /** Characters. */
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

/** A text without control characters. */
export function text(description: string, { example, maxLength = 255, enum: values }: Options) {
  const range = values ? `one of ${values.map((each) => `\`${each}\``).join(', ')}` : `at most ${maxLength} characters`;
  return parameter('text', {
    type: 'string',
    description: `${description}; ${range}`,
    examples: [example],
    maxLength,
    ...(values && { enum: values }),
  });
}

/** One of some words. */
export function choice(values: readonly string[], description: string, example = values[0]!) {
  return text(description, { example, enum: values });
}

/** A text that no answer and no log contains. */
export function secret(description: string, options: Options) {
  return { ...text(description, options), writeOnly: true };
}

/** Texts, sent by repeating the name or separated by commas. */
export function texts(description: string, { example, maxLength = 255, enum: values }: Options) {
  const range = values ? `, each one of ${values.map((each) => `\`${each}\``).join(', ')}` : '';
  return parameter('texts', {
    type: 'array',
    items: { type: 'string', maxLength, ...(values && { enum: values }) },
    maxItems: 100,
    description: `${description}${range}; repeated, or separated by commas`,
    examples: [example],
  });
}

/** A decimal number. */
export function decimal(description: string, range: { readonly exclusiveMinimum: number; readonly maximum: number }) {
  return parameter('decimal', {
    type: 'number',
    ...range,
    description: `${description}; above ${range.exclusiveMinimum}, at most ${range.maximum}`,
    examples: [String(range.maximum)],
  });
}
