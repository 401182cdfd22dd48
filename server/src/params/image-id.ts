import { imageIdRule, maxIdsInList, maxImageIdBytes } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { nameFault, shown } from './text.ts';

export const imageId: Reader<'image id'> = {
  read(given, name) {
    const id = given.text(name);
    return id === undefined ? undefined : checkImageId(id);
  },
  expected: (name) => `${name}, ${imageIdRule}`,
};

/** Empty pieces, as a `;` at the end makes one, are passed over. */
export const imageIds: Reader<'image ids'> = {
  read(given, name) {
    const text = given.text(name);
    if (text === undefined) return undefined;

    const ids = text.split(';').filter((id) => id !== '');
    if (ids.length === 0) throw fail('BAD_PARAMETER', `${name}: expected ids separated by ';', got ${shown(text)}`);
    if (ids.length > maxIdsInList) throw fail('TOO_MANY_IDS', `expected at most ${maxIdsInList}, got ${ids.length}`);
    return ids.map(checkImageId);
  },
  expected: (name, { description: rule }) => `${name}, ${rule}`,
};

/** Fails with BAD_IMAGE_ID; the one rule for ids, wherever they come from. */
function checkImageId(id: string): string {
  const fault = nameFault(id, /;/);
  if (fault) throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${fault} in ${shown(id)}`);

  const bytes = Buffer.byteLength(id);
  if (bytes === 0 || bytes > maxImageIdBytes) {
    throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${bytes} bytes, ${shown(id)}`);
  }
  return id;
}
