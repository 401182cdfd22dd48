import { optional, parameter } from './parameter.ts';
import { text } from './text.ts';

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
