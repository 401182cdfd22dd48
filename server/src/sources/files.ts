import { constants, type BigIntStats } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Opens a file for reading: no link, and no device that would let the caller wait. */
export function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Another one where the content may be another one, or where another file was moved here. */
export function versionOf({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}-${size}-${ino}`;
}

export function isWithin(folder: string, path: string): boolean {
  return folder !== '' && (path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));
}

/**
 * Works on a file below a folder. Fails where a link leads out of the folder, and where the file has another version, or gets one.
 * @param listed  the version to work on; otherwise that of now
 */
export async function whileOpen<T>(
  root: string,
  key: string,
  listed: string | null | undefined,
  work: (file: FileHandle, size: number, version: string) => Promise<T>,
): Promise<T> {
  const path = join(root, key);
  const file = await openFile(path);
  try {
    // a folder on the way may have become a link since it was listed
    const real = await realpath(process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path);
    const before = await file.stat({ bigint: true });
    const version = listed === undefined ? versionOf(before) : listed;
    if (!isWithin(root, real) || versionOf(before) !== version) throw new Error('changed since it was listed');
    const result = await work(file, Number(before.size), version);
    if (versionOf(await file.stat({ bigint: true })) !== version) throw new Error('changed while it was read');
    return result;
  } finally {
    await file.close();
  }
}
