import { optional, parameter } from './parameter.ts';

/** A picture file. */
export const picture = pictureFile('', {});

/** A picture file that clients send under two names. */
export function pictureOr(alias: string) {
  return pictureFile(`; \`${alias}\` is taken as well`, { alias });
}

/** A picture file in whose place the parameter `or` may be sent. */
export function pictureOrElse(or: string, alias?: string) {
  const also = alias ? `; \`${alias}\` is taken as well` : '';
  return optional(pictureFile(`${also}; exactly one of this and \`${or}\``, { ...(alias && { alias }), or }));
}

function pictureFile(rule: string, others: { readonly alias?: string; readonly or?: string }) {
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
