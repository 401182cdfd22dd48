import { createHash } from 'node:crypto';
import { maxImageIdBytes } from '@sosia/contract';

const SUFFIX_LENGTH = 17;

/**
 * The image_id of a picture of a source: the prefix and its key. Where that is no image_id, a digest of the key makes the nearest one
 * unique, so two keys never have one id.
 */
export function imageIdOf(prefix: string, key: string): string {
  const wanted = prefix + key;
  const allowed = wanted.replace(/[;\p{Cc}\p{Cs}]/gu, '_').normalize('NFC');
  if (allowed === wanted && Buffer.byteLength(wanted) <= maxImageIdBytes) return wanted;
  const digest = createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, SUFFIX_LENGTH - 1);
  return `${start(allowed, maxImageIdBytes - SUFFIX_LENGTH)}~${digest}`;
}

/** As many whole characters as fit into some bytes. */
function start(text: string, bytes: number): string {
  let [length, end] = [0, 0];
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
