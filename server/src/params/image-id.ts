import { fail } from '../errors.ts';
import type { Param } from './param.ts';
import { shown } from './param.ts';
import { nameFault } from './text.ts';

export const maxImageIdBytes = 255;
export const maxIdsInList = 10_000;

export const imageIdRule = '1 to 255 bytes of UTF-8 in normalization form C, without control characters and `;`';

/** Bytes are more than JSON Schema can count. */
const imageIdSchema = {
  type: 'string',
  minLength: 1,
  maxLength: maxImageIdBytes,
  pattern: '^[^;\\u0000-\\u001f\\u007f-\\u009f]+$',
};

/** Fails with BAD_IMAGE_ID; the one rule for ids, wherever they come from. */
export function checkImageId(id: string): string {
  const fault = nameFault(id, /;/);
  if (fault) throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${fault} in ${shown(id)}`);

  const bytes = Buffer.byteLength(id);
  if (bytes === 0 || bytes > maxImageIdBytes) {
    throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${bytes} bytes, ${shown(id)}`);
  }
  return id;
}

export function imageId(): Param<string> {
  return {
    type: 'string',
    required: true,
    rule: imageIdRule,
    schema: imageIdSchema,
    example: 'harbour.jpg',
    read(given, name) {
      const id = given.text(name);
      if (id === undefined) throw fail('MISSING_PARAMETER', `expected ${name}, ${imageIdRule}`);
      return checkImageId(id);
    },
  };
}

export function optionalImageId(): Param<string | undefined> {
  return {
    type: 'string',
    required: false,
    rule: imageIdRule,
    schema: imageIdSchema,
    example: 'harbour.jpg',
    read(given, name) {
      const id = given.text(name);
      return id === undefined ? undefined : checkImageId(id);
    },
  };
}

/** null when not given. Empty pieces, as a `;` at the end makes one, are passed over. */
export function idsList(): Param<readonly string[] | null> {
  return {
    type: 'string',
    required: false,
    rule: 'image ids separated by `;`, at most 10,000; restricts the operation to them',
    schema: { type: 'string' },
    example: 'harbour.jpg;bridge.jpg',
    read(given, name) {
      const text = given.text(name);
      if (text === undefined) return null;

      const ids = text.split(';').filter((id) => id !== '');
      if (ids.length === 0) throw fail('BAD_PARAMETER', `${name}: expected ids separated by ';', got ${shown(text)}`);
      if (ids.length > maxIdsInList) throw fail('TOO_MANY_IDS', `expected at most ${maxIdsInList}, got ${ids.length}`);
      return ids.map(checkImageId);
    },
  };
}
