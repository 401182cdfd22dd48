import { optional, parameter } from './parameter.ts';

/** A picture file. */
export const picture = parameter('file', {
  contentMediaType: 'application/octet-stream',
  description: 'the picture file, as a multipart part',
  examples: ['@picture.jpg'],
});

/** A picture file that clients send under two names. */
export function pictureOr(alias: string) {
  return parameter('file', {
    contentMediaType: 'application/octet-stream',
    description: `the picture file, as a multipart part; \`${alias}\` is taken as well`,
    examples: ['@picture.jpg'],
    alias,
  });
}

/** A picture file in whose place the parameter `or` may be sent. */
export function pictureOrElse(or: string, alias?: string) {
  const also = alias ? `; \`${alias}\` is taken as well` : '';
  const file = parameter('file', {
    contentMediaType: 'application/octet-stream',
    description: `the picture file, as a multipart part${also}; exactly one of this and \`${or}\``,
    examples: ['@picture.jpg'],
    ...(alias ? { alias } : {}),
    or,
  });
  return optional(file);
}

export const dna = parameter('bytes', {
  type: 'string',
  contentEncoding: 'base64',
  description: 'the bytes as a multipart part, or base64 text in any place',
  examples: ['@picture.dna'],
});
