import { imageIdRule, maxIdsInList, maxImageIdBytes } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { nameFault, shown } from './text.ts';

const SEMICOLON = 0x3b;

export const imageId: Reader<'image id'> = {
  read(raw, name) {
    const id = raw.text(name);
    return id === undefined ? undefined : checkImageId(id);
  },
  expected: (name) => `${name}, ${imageIdRule}`,
};

/** Empty pieces, such as after a final `;`, are ignored. */
export const imageIds: Reader<'image ids'> = {
  read(raw, name) {
    const text = raw.text(name);
    if (text === undefined) return undefined;

    const ids = pieces(text);
    if (ids.length === 0) throw fail('BAD_PARAMETER', `${name}: expected ids separated by ';', got ${shown(text)}`);
    return ids.map(checkImageId);
  },
  expected: (name, { description: rule }) => `${name}, ${rule}`,
};

/** Fails with BAD_IMAGE_ID; the only rule for ids of any origin. */
function checkImageId(id: string): string {
  const fault = nameFault(id, /;/);
  if (fault) throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${fault} in ${shown(id)}`);

  const bytes = Buffer.byteLength(id);
  if (bytes === 0 || bytes > maxImageIdBytes) {
    throw fail('BAD_IMAGE_ID', `expected ${imageIdRule}, got ${bytes} bytes, ${shown(id)}`);
  }
  return id;
}

/** The texts between semicolons, counted before any is stored. Fails with TOO_MANY_IDS. */
function pieces(text: string): string[] {
  const ids = countPieces(text);
  if (ids > maxIdsInList) throw fail('TOO_MANY_IDS', `expected at most ${maxIdsInList}, got ${ids}`);

  const found: string[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) === SEMICOLON) continue;
    const next = text.indexOf(';', i);
    const end = next < 0 ? text.length : next;
    found.push(text.slice(i, end));
    i = end;
  }
  return found;
}

function countPieces(text: string): number {
  let count = 0;
  let previous = SEMICOLON;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (previous === SEMICOLON && unit !== SEMICOLON) count++;
    previous = unit;
  }
  return count;
}
