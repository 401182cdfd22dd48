import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Damage } from './store.ts';

const HEADER = 32;
const FRAME_HEADER = 24;
const PAGE = 4096;

/**
 * Finds damage in the write-ahead log of a database, before SQLite opens it.
 *
 * SQLite reads a log up to the first frame that fails its checksum. It takes the rest for the end that a power cut has
 * torn, and drops it silently. But a commit is flushed before the next one is written, so a power cut tears one commit
 * at most. If two or more follow the break, the log was damaged later, and acknowledged changes are lost. (Damage in
 * the very last commit looks like a power cut.)
 *
 * https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function damageOfLog(database: string): Damage | undefined {
  const path = `${database}-wal`;
  let lost = commitsAfterBreak(readIfThere(path));
  // another process may have been writing: only a fault found twice is damage
  if (lost >= 2) lost = Math.min(lost, commitsAfterBreak(readIfThere(path)));
  if (lost < 2) return undefined;
  return { file: basename(path), what: `a frame fails its checksum; it and ${lost} commits from there on are lost` };
}

/** Nothing if there is no such file: the last process to close a database removes its log at any moment. */
function readIfThere(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array();
    throw cause;
  }
}

function commitsAfterBreak(bytes: Uint8Array): number {
  const log = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (log.byteLength < HEADER + FRAME_HEADER) return 0;
  const littleEndian = (log.getUint32(0) & 1) === 0;

  let sum = checksum(log, 0, 24, [0, 0], littleEndian);
  let whole = matches(log, 24, sum);
  const page = whole ? log.getUint32(8) : PAGE;
  // frames of an older round of the log have other salts
  const salts = log.getBigUint64(whole ? 16 : HEADER + 8);

  let commits = 0;
  for (let at = HEADER; at + FRAME_HEADER + page <= log.byteLength; at += FRAME_HEADER + page) {
    const current = log.getBigUint64(at + 8) === salts;
    if (whole) {
      sum = checksum(log, at, 8, sum, littleEndian);
      sum = checksum(log, at + FRAME_HEADER, page, sum, littleEndian);
      whole = current && matches(log, at + 16, sum);
    }
    const isCommit = log.getUint32(at + 4) > 0;
    if (!whole && current && isCommit) commits++;
  }
  return commits;
}

type Sum = readonly [number, number];

function matches(log: DataView, at: number, [s0, s1]: Sum): boolean {
  return log.getUint32(at) === s0 && log.getUint32(at + 4) === s1;
}

/** Continues the sum of the preceding bytes. */
function checksum(log: DataView, start: number, length: number, [s0, s1]: Sum, littleEndian: boolean): Sum {
  for (let at = start; at < start + length; at += 8) {
    s0 = (s0 + log.getUint32(at, littleEndian) + s1) >>> 0;
    s1 = (s1 + log.getUint32(at + 4, littleEndian) + s0) >>> 0;
  }
  return [s0, s1];
}
