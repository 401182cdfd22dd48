import { parameter } from './parameter.ts';

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
