import { FileBytes } from '../decode/formats/file-bytes.ts';
import { formatOf } from '../decode/formats/formats.ts';
import type { FileDetails } from '../store/store.ts';

/** Of a picture file that could be decoded; its header is read. */
export function detailsOf(content: Uint8Array, now = new Date()): FileDetails {
  const file = new FileBytes(content);
  const format = formatOf(file);
  const { width, height } = format.cost(file);
  return { width, height, bytes: content.length, format: format.name, added: now.toISOString() };
}
