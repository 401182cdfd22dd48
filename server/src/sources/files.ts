import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Opens a file for reading: no link, and no device that would let the caller wait. */
export function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Another one where the content may be another one, or where another file was moved here. */
export function versionOf({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}-${size}-${ino}`;
}
