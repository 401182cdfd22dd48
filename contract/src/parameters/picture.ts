import { parameter, optional, text } from './parameter.ts';

export const maxImageIdBytes = 255;
export const maxIdsInList = 10_000;

export const imageIdRule = '1 to 255 bytes of UTF-8 in normalization form C, without control characters and `;`';

export const imageId = imageIdFor(imageIdRule);

/** JSON Schema counts characters, so that the limit in bytes is left to the service. */
export function imageIdFor(description: string) {
  return parameter('image id', {
    type: 'string',
    description,
    examples: ['harbour.jpg'],
    minLength: 1,
    maxLength: maxImageIdBytes,
    pattern: '^[^;\\u0000-\\u001f\\u007f-\\u009f]+$',
  });
}

export const imageIds = parameter('image ids', {
  type: 'string',
  description: 'image ids separated by `;`, at most 10,000; restricts the operation to them',
  examples: ['harbour.jpg;bridge.jpg'],
});

/** A picture file, or the address of one in the parameter `image_url`. */
export const picture = pictureFile('', { address: 'image_url' });

/** A picture file that clients send under two names, or the address of one in the parameter `image_url`. */
export function pictureOr(alias: string) {
  return pictureFile(`; \`${alias}\` is taken as well`, { alias, address: 'image_url' });
}

/** A picture file in whose place the parameter `or`, or the address of a picture in the parameter `address`, may be sent. */
export function pictureOrElse(or: string, address: string, alias?: string) {
  const also = alias ? `; \`${alias}\` is taken as well` : '';
  const rule = `${also}; exactly one of this, \`${address}\` and \`${or}\``;
  return optional(pictureFile(rule, { ...(alias && { alias }), or, address }));
}

/** The address of a picture, which the service fetches in place of the parameter `name`. */
export function addressOfPicture(name: string) {
  const rule = `the http or https address of a picture, in place of \`${name}\`, where \`fetch_hosts\` allows it`;
  return optional(
    text(`${rule}; an addition to the interface`, {
      example: 'https://images.example.org/harbour.jpg',
      maxLength: 2048,
    }),
  );
}

export const imageUrl = addressOfPicture('image_content');

function pictureFile(
  rule: string,
  others: { readonly alias?: string; readonly or?: string; readonly address: string },
) {
  return parameter('file', {
    contentMediaType: 'application/octet-stream',
    description: `the picture file, as a multipart part${rule}`,
    examples: ['@picture.jpg'],
    ...others,
  });
}

export const dna = parameter('bytes', {
  type: 'string',
  contentEncoding: 'base64',
  description: 'the bytes as a multipart part, or base64 text in any place',
  examples: ['@picture.dna'],
});

export const maxKeywordBytes = 255;
export const maxKeywords = 100;

const keywordRule =
  '1 to 255 bytes of UTF-8 in normalization form C, without control characters and `;*()[]`; at most 100, duplicates count once';

const ofKeywords = {
  type: 'array',
  items: {
    type: 'string',
    minLength: 1,
    maxLength: maxKeywordBytes,
    pattern: '^[^;*()\\[\\]\\u0000-\\u001f\\u007f-\\u009f]+$',
  },
  maxItems: maxKeywords,
  description: `each ${keywordRule}`,
  examples: ['holiday'],
} as const;

/** The keywords of a picture. An operation receives an empty list where a request has none. */
export const keywords = parameter('keywords', { ...ofKeywords, default: [] });

const restricting = `restricts the operation to pictures that have all of them; each ${keywordRule}`;

/** Keywords that restrict an operation to the pictures that have them. */
export const withKeywords = parameter('keywords', { ...ofKeywords, description: restricting, default: [] });

export const someKeywords = parameter('keywords', { ...ofKeywords, description: restricting, minItems: 1 });

export const metadataLimits = { bytes: 4096, values: 100, depth: 8, conditions: 20 };

const metadataRule = `a JSON object of at most ${metadataLimits.bytes} bytes and ${metadataLimits.values} values, as text; names without control characters and \`=<>\``;

/** The metadata of a picture. */
export const metadata = parameter('metadata', {
  type: 'string',
  contentMediaType: 'application/json',
  description: metadataRule,
  examples: ['{"agency": "AP", "year": 2026}'],
});

/** Conditions that the metadata of a picture must match. */
export const where = optional(
  parameter('conditions', {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: metadataLimits.bytes },
    maxItems: metadataLimits.conditions,
    description: `restricts the operation to pictures whose metadata match all conditions: \`year>=2020\`, \`agency=AP\`, or \`agency\` for any value; \`=\`, \`<\`, \`<=\`, \`>\` and \`>=\` compare numbers and texts; repeated, at most ${metadataLimits.conditions}`,
    examples: ['year>=2020'],
  }),
);
