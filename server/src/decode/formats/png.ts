import { inflateSync } from 'node:zlib';
import { fail } from '../../errors.ts';
import type { FileBytes } from './file-bytes.ts';
import type { PictureFormat } from './format.ts';

/** PNG, third edition (W3C, 2025). Its texts and its profile are compressed too: there a small file inflates without bound. */
export const png: PictureFormat = {
  name: 'PNG',
  matches: (file) => file.has(SIGNATURE),
  cost(file) {
    if (!file.has('IHDR', FIRST_CHUNK_OFFSET + 4)) throw fail('DAMAGED_PICTURE', 'a PNG that does not begin with IHDR');
    const width = file.u32(FIRST_CHUNK_OFFSET + 8);
    const height = file.u32(FIRST_CHUNK_OFFSET + 12);
    const bytesPerSample = file.u8(FIRST_CHUNK_OFFSET + 16) === 16 ? 2 : 1;
    return { width, height, memory: width * height * 4 * bytesPerSample };
  },
  source: withoutBallast,
};

const SIGNATURE = '\x89PNG\r\n\x1a\n';
const FIRST_CHUNK_OFFSET = SIGNATURE.length;
const needed = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'cHRM', 'gAMA', 'sRGB', 'eXIf'];
const LARGEST_PROFILE = 4_000_000;

/** Only the chunks that shape the picture. A profile that is damaged, or larger than any real one, goes with the rest. */
function withoutBallast(file: FileBytes): Uint8Array {
  const kept: Uint8Array[] = [];
  let profileSeen = false;
  let keptFrom = 0;
  for (let at = FIRST_CHUNK_OFFSET; at < file.length;) {
    const type = file.text(at + 4, 4);
    const end = Math.min(file.length, at + 12 + file.u32(at));
    const isProfile: boolean = type === 'iCCP' && !profileSeen;
    profileSeen ||= isProfile;
    if (!needed.includes(type) && !(isProfile && inflatesWell(file, at + 8, end - 4))) {
      kept.push(file.bytes.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  return keptFrom === 0 ? file.bytes : Buffer.concat([...kept, file.bytes.subarray(keptFrom)]);
}

function inflatesWell(file: FileBytes, start: number, end: number): boolean {
  const nameEnd = file.bytes.indexOf(0, start);
  try {
    return inflateSync(file.bytes.subarray(nameEnd + 2, end), { maxOutputLength: LARGEST_PROFILE }).length > 0;
  } catch {
    return false;
  }
}
