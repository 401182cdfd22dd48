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
  let { lost } = readLog(path);
  // another process may have been writing: only a fault found twice is damage
  if (lost >= 2) lost = Math.min(lost, readLog(path).lost);
  if (lost < 2) return undefined;
  return { file: basename(path), what: `a frame fails its checksum; it and ${lost} commits from there on are lost` };
}

/** As `damageOfLog`, where it is known that the log lacks something that was durable: then one commit is enough. */
export function lossOfLog(database: string): Damage | undefined {
  const path = `${database}-wal`;
  const { length, broken, frames } = readLog(path);
  if (broken) return { file: basename(path), what: 'a frame fails its checksum; commits from there on are lost' };
  if (length === 0 || frames.length > 0) return undefined;
  return { file: basename(path), what: 'none of it can be read; its commits are lost' };
}

/** A write-ahead log, as far as SQLite reads it. */
export interface Log {
  /** In bytes. */
  readonly length: number;
  /** Distinguishes the rounds of a log; 0 without a whole header. */
  readonly salts: bigint;
  /** Number and content of each page that was written, up to the last commit. */
  readonly frames: readonly { readonly page: number; readonly bytes: Uint8Array }[];
  /** The commits of this round after the first frame that fails its checksum. */
  readonly lost: number;
  /** Whether there is anything behind the sound frames that no earlier round has left. */
  readonly broken: boolean;
}

export function readLog(path: string): Log {
  const bytes = readIfThere(path);
  const log = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  if (length < HEADER + FRAME_HEADER) return { length, salts: 0n, frames: [], lost: 0, broken: false };
  const littleEndian = (log.getUint32(0) & 1) === 0;

  let sum = checksum(log, 0, 24, [0, 0], littleEndian);
  let whole = matches(log, 24, sum);
  const isSound = whole;
  const page = whole ? log.getUint32(8) : PAGE;
  // frames of an older round of the log have other salts
  const salts = log.getBigUint64(whole ? 16 : HEADER + 8);

  const frames: { page: number; bytes: Uint8Array }[] = [];
  let committed = 0;
  let lost = 0;
  let broken = (length - HEADER) % (FRAME_HEADER + page) > 0;
  for (let at = HEADER; at + FRAME_HEADER + page <= length; at += FRAME_HEADER + page) {
    const current = log.getBigUint64(at + 8) === salts;
    if (whole) {
      sum = checksum(log, at, 8, sum, littleEndian);
      sum = checksum(log, at + FRAME_HEADER, page, sum, littleEndian);
      whole = current && matches(log, at + 16, sum);
    }
    const isCommit = log.getUint32(at + 4) > 0;
    if (whole) {
      frames.push({ page: log.getUint32(at), bytes: bytes.subarray(at + FRAME_HEADER, at + FRAME_HEADER + page) });
      if (isCommit) committed = frames.length;
    } else {
      if (current && isCommit) lost++;
      broken ||= current || !isEarlier(log.getUint32(at + 8), Number(salts >> 32n));
    }
  }
  return { length, salts: isSound ? salts : 0n, frames: frames.slice(0, committed), lost, broken };
}

/** Whether a frame is of an earlier round: each round has a first salt higher by one. */
function isEarlier(salt: number, current: number): boolean {
  const rounds = (current - salt) >>> 0;
  return rounds > 0 && rounds < 2 ** 20;
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
