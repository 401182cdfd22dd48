import { optional, parameter } from './parameter.ts';

export const metadataLimits = { bytes: 4096, values: 100, depth: 8, conditions: 20 };

const { bytes, values, conditions } = metadataLimits;

const rule = `a JSON object of at most ${bytes} bytes and ${values} values, as text; names without control characters and \`=<>\``;

/** The metadata of a picture. */
export const metadata = parameter('metadata', {
  type: 'string',
  contentMediaType: 'application/json',
  description: rule,
  examples: ['{"agency": "AP", "year": 2026}'],
});

/** Conditions that the metadata of a picture must match. */
export const where = optional(
  parameter('conditions', {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: bytes },
    maxItems: conditions,
    description: `restricts the operation to pictures whose metadata match all conditions: \`year>=2020\`, \`agency=AP\`, or \`agency\` for any value; \`=\`, \`<\`, \`<=\`, \`>\` and \`>=\` compare numbers and texts; repeated, at most ${conditions}`,
    examples: ['year>=2020'],
  }),
);
