import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { threadId } from 'node:worker_threads';
import { errors, Failure, fail } from '../errors.ts';

/** The files of a data folder. */
export const fileNames = {
  /**
   * One line, `sosia data 1`, followed by the folder's identity once all files exist, and by the latest generation of the
   * databases, which shows that both were exchanged. Written first in a new folder and last in a snapshot.
   */
  format: 'format',
  /** Read and written by any process. */
  applications: 'applications.db',
  /** Written by the one server that has the lock. */
  images: 'images.db',
  /** Always empty; the lock on it counts, which ends with its process. */
  lock: 'server.lock',
  /** A folder: the saved index, which a start reads instead of building it from images.db. No part of a backup. */
  index: 'index',
} as const;

/** The audit log, the file of the latest entries first. It is no part of a backup. */
export const auditFiles: readonly string[] = ['audit.log', ...[1, 2, 3, 4, 5, 6, 7].map((i) => `audit.${i}.log`)];
/** As `auditFiles`, of refused attempts: those of an attacker never push a change out of the log. */
export const refusedFiles: readonly string[] = ['refused.log', 'refused.1.log'];

/** Raised by any change that another version would misread. */
const FORMAT = 1;

/**
 * Content of the format file: nothing yet, the mark of an unfinished folder, or the identity. Other
 * bytes beside both databases are damage, since the databases have the identity too.
 */
export type Format = 'none' | 'unfinished' | 'damaged' | Identified;

export interface Identified {
  readonly folder: string;
  /** The databases have this generation or a later one; 0 where none was noted. */
  readonly generation: number;
}

/** Creates a missing folder durably, with permissions for its owner alone. */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (existsSync(path)) return;
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return; // another process has just made it
  chmodSync(path, 0o700); // independently of the umask
  for (let made = path; made !== dirname(first); made = dirname(made)) syncFolder(dirname(made));
}

/**
 * Makes a missing or empty folder a data folder.
 * @throws STORE_FORMAT for a folder with other files, so that no database is written among photographs
 */
export function prepareFolder(folder: string): void {
  makeFolder(folder);
  if (readFormat(folder) !== 'none') return;
  const stranger = readdirSync(folder).find((name) => !isOurs(name));
  if (stranger !== undefined) {
    const expected = `expected a data folder, or an empty one to make it in`;
    throw fail('STORE_FORMAT', `${expected}, found ${JSON.stringify(stranger)} in ${folder}`);
  }
  writeFormat(folder);
}

/** Whether a file belongs to a data folder, or is one that file systems and desktops put into empty folders. */
function isOurs(name: string): boolean {
  const own = name.replace(/-(wal|shm|journal)$|(?<=^format)\.\d+-\d+$/, '');
  return (
    name.startsWith('.') ||
    name === 'lost+found' ||
    [...Object.values<string>(fileNames), ...auditFiles, ...refusedFiles].includes(own)
  );
}

/** @throws STORE_FORMAT for a folder that is no data folder, or one of another version */
export function requireFormat(folder: string): void {
  if (readFormat(folder) === 'none') throw fail('STORE_FORMAT', `${folder} has no file "${fileNames.format}"`);
}

/** @throws STORE_FORMAT for another version, and for databases without a format file */
export function readFormat(folder: string): Format {
  const path = join(folder, fileNames.format);
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  const databases = [fileNames.applications, fileNames.images];
  const isWhole = databases.every((name) => existsSync(join(folder, name)));
  if (isWhole && text.length > 0 && !/^sosia data \d/.test(text)) return 'damaged';
  if (/^\0*$/.test(text)) {
    // missing, or truncated by a power cut: both only before the first database is created
    const database = databases.find((name) => existsSync(join(folder, name)));
    if (!database) return 'none';
    const why = 'an unfinished copy, or the file is lost. Restore a backup, or copy the folder again';
    throw fail('STORE_FORMAT', `${folder} has ${database} but no file "${fileNames.format}": ${why}`);
  }
  const [, version, identity, generation = 0] = /^sosia data (\d+)(?: ([0-9a-f]{32})(?: (\d+))?)?\n$/.exec(text) ?? [];
  if (Number(version) === FORMAT)
    return identity === undefined ? 'unfinished' : { folder: identity, generation: Number(generation) };
  const found =
    version === undefined ? JSON.stringify(text.slice(0, 60)) : `format ${version}, made by another version`;
  throw fail('STORE_FORMAT', `${path}: expected format ${FORMAT}, found ${found}`);
}

/**
 * Notes a generation that both databases have. One that is not noted, as beside a faster process or on a full disk, is
 * not missed: an older one is allowed.
 */
export function noteGeneration(folder: string, generation: number): void {
  try {
    const format = readFormat(folder);
    if (typeof format === 'string' || format.generation >= generation) return;
    writeFormat(folder, format.folder, generation);
  } catch {
    // the next one is noted
  }
}

/**
 * Safe beside another process that does the same, because both write the same identity.
 * @param identity  of the folder, once all its files exist
 */
export function writeFormat(folder: string, identity?: string, generation?: number): void {
  const path = join(folder, fileNames.format);
  const words = ['sosia data', FORMAT, identity, generation].filter((word) => word !== undefined);
  const text = `${words.join(' ')}\n`;
  const draft = identity === undefined ? path : `${path}.${process.pid}-${threadId}`;
  const file = openSync(draft, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, text, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (draft !== path) renameSync(draft, path); // so that it is never truncated beside databases
  syncFolder(folder);
}

/**
 * Creates an empty file for the owner alone, independently of the umask. SQLite gives its logs the same permissions.
 */
export function makePrivate(path: string): void {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw cause;
  }
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/** The folder and those of its files that other users may read or write, with their permissions. */
export function exposedIn(folder: string): string[] {
  if (process.platform === 'win32') return []; // no such permissions on Windows
  return ['.', ...readdirSync(folder)].flatMap((name) => {
    const mode = statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0;
    const permissions = (mode & 0o777).toString(8).padStart(4, '0');
    return isOurs(name) && mode & 0o077 ? [`${join(folder, name)} has the permissions ${permissions}`] : [];
  });
}

export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the file names of a folder durable. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // Windows cannot open folders; NTFS journals names itself
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Bytes of the files of a data folder, logs included. The files are not opened, which would release their locks. */
export async function bytesOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder, { recursive: true })).map(async (name) => {
    const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 })); // a log may have been removed meanwhile
    return size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Free bytes for this process on the disk of a folder. */
export function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Any error from opening a data folder or one of its files, as a `Failure` that names its path. */
export function openingFailure(path: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return fail(isDamaged(cause) ? 'STORE_DAMAGED' : 'STORE_UNAVAILABLE', `${path}: ${(cause as Error).message}`);
}

/**
 * Whether an error of SQLite concerns the content of the file. SQLITE_ERROR: a statement that does not fit the tables.
 */
export function isDamaged(cause: unknown): boolean {
  const { code = '' } = cause as { code?: string | number };
  return code === errors.STORE_DAMAGED.code || /^SQLITE_(NOTADB|CORRUPT|ERROR|IOERR_SHORT_READ)/.test(String(code));
}
