import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, versionOf, whileOpen } from './files.ts';
import type { FileMove, KnownItem } from './source.ts';

/** Has the removed files of a source, with their paths. Its name is hidden, so no source follows it. */
export const TRASH = '.trash';

/** As `SourceKind.move`, for a file below a real path; without a version, that of now. */
export async function moveItem(root: string, item: Partial<KnownItem> & { key: string }, how: FileMove): Promise<void> {
  const { key } = item;
  if (how === 'restore') return moveFile(root, { ...item, key: join(TRASH, key) }, key);
  if (how === 'trash') return moveFile(root, item, join(TRASH, key));
  const aside = join(TRASH, randomUUID()); // so that what is deleted is what was looked at
  await moveFile(root, item, aside);
  await unlink(join(root, aside));
  await rmdir(join(root, TRASH)).catch(() => {}); // where others are in it
}

/**
 * Moves a file within a folder. Fails where a link is on the way, where the new place is taken, and where the file has another version
 * or size. The file then stays.
 */
async function moveFile(
  root: string,
  { key, version: listed, size: bytes }: Partial<KnownItem> & { key: string },
  to: string,
) {
  await whileOpen(root, key, listed, async (_, size, version) => {
    if (bytes !== undefined && bytes !== size) throw new Error('its file is another one than the picture was made of');
    const [before, after] = [await pathOf(root, key), await pathOf(root, to)];
    if (await isThere(after)) throw new Error('there is a file in its new place');
    await rename(before, after);
    if (versionOf(await lstat(after, { bigint: true })) === version) return;
    await rename(after, before);
    throw new Error('changed since it was listed');
  });
}

/** The path of a file, whose folders are made. */
async function pathOf(root: string, key: string): Promise<string> {
  const path = join(root, key);
  if (!isWithin(root, path)) throw new Error('it leads out of the folder');
  let folder = root;
  for (const name of key.split('/').slice(0, -1)) {
    folder = join(folder, name);
    if (!(await isThere(folder))) await mkdir(folder).catch(() => {}); // another one may have made it
    if (!(await lstat(folder)).isDirectory()) throw new Error(`${name} is no folder`);
  }
  return path;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
