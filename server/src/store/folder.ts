import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errors, Failure, fail } from '../errors.ts';

/** What a data folder holds. */
export const fileNames = {
  /** One line, `sosia data 1`: the version of all the rest. In a new folder it comes first, in a snapshot last. */
  format: 'format',
  /** Read and written by any process. */
  applications: 'applications.db',
  /** Written by the one server that holds the lock. */
  images: 'images.db',
  /** Always empty; what counts is the lock on it, which dies with its process. */
  lock: 'server.lock',
} as const;

/** Goes up with any change that an older version would misread. */
const FORMAT = 1;

/** Makes the folder durably if it is missing. Refuses, untouched, one that this version cannot read. */
export function prepareFolder(folder: string): void {
  const first = mkdirSync(resolve(folder), { recursive: true });
  if (first) {
    for (let made = resolve(folder); made !== dirname(first); made = dirname(made)) syncFolder(dirname(made));
  }
  if (!hasFormat(folder)) writeFormat(folder);
}

/** @throws STORE_FORMAT for a folder that is not a data folder, or one of another version */
export function requireFormat(folder: string): void {
  if (!hasFormat(folder)) throw fail('STORE_FORMAT', `${folder} has no file "${fileNames.format}"`);
}

/** False for a folder that is yet to become a data folder. */
function hasFormat(folder: string): boolean {
  const path = join(folder, fileNames.format);
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  if (/^\0*$/.test(text)) {
    // missing, or cut off by a power cut: both only before the first database is made
    const database = [fileNames.applications, fileNames.images].find((name) => existsSync(join(folder, name)));
    if (!database) return false;
    throw fail('STORE_FORMAT', `${folder} has ${database} but no file "${fileNames.format}": an unfinished copy?`);
  }
  const version = Number(/^sosia data (\d+)\n$/.exec(text)?.[1]);
  if (version !== FORMAT) {
    const came = version > FORMAT ? `format ${version}, made by a newer version` : JSON.stringify(text.slice(0, 40));
    throw fail('STORE_FORMAT', `${path}: expected format ${FORMAT}, found ${came}`);
  }
  return true;
}

/** Safe beside another process that does the same: both write the same bytes to the same place. */
export function writeFormat(folder: string): void {
  const file = openSync(join(folder, fileNames.format), constants.O_RDWR | constants.O_CREAT, 0o666);
  try {
    writeSync(file, `sosia data ${FORMAT}\n`, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(folder);
}

export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there; NTFS journals names itself
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** What the files of a data folder take, logs included; they are not opened, which would give up their locks. */
export async function bytesOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => {
    const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 })); // a log may have gone meanwhile
    return size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bytes that the disk of a folder has left for this process. */
export function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whatever went wrong while a data folder was opened, as a `Failure` that names the folder. */
export function openingFailure(folder: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return fail(isDamaged(cause) ? 'STORE_DAMAGED' : 'STORE_UNAVAILABLE', `${folder}: ${(cause as Error).message}`);
}

/** Whether an error of SQLite is about what is in the file. SQLITE_ERROR: a statement that does not fit the tables found. */
export function isDamaged(cause: unknown): boolean {
  const { code = '' } = cause as { code?: string | number };
  return code === errors.STORE_DAMAGED.code || /^SQLITE_(NOTADB|CORRUPT|ERROR|IOERR_SHORT_READ)/.test(String(code));
}
