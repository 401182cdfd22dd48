import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { foldersOf, idOf } from './ids.ts';
import type { Entry, Passed, Plan } from './plan.ts';

/** The pictures of a folder and of its folders, by name. */
export function picturesIn(root: string, fromFolders: boolean): Plan {
  const entries: Entry[] = [];
  const passed: Passed[] = [];
  const home = realpathSync(root);
  const visit = (folder: string): void => {
    const inside = readdirSync(folder, { withFileTypes: true });
    for (const item of inside.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, item.name);
      const why = item.name.startsWith('.') ? 'hidden' : reasonAgainst(path, item.isSymbolicLink() ? home : null);
      if (why === 'a folder') visit(path);
      else if (why) passed.push({ path, why, fault: why.startsWith('cannot') });
      else entries.push(entryAt(path, root, fromFolders));
    }
  };
  visit(root);
  return { entries, passed };
}

export const LINKED_FOLDER = 'a link to a folder';
export const LEADS_OUT = 'a link that leads out of the folder';

/** @param home  the folder that links must not leave; null for a path that is no link */
function reasonAgainst(path: string, home: string | null): string | null {
  try {
    const found = statSync(path);
    // a foreign folder of pictures could otherwise bring in any file of this machine
    if (home !== null && !realpathSync(path).startsWith(home.endsWith(sep) ? home : home + sep)) return LEADS_OUT;
    if (found.isDirectory()) return home === null ? 'a folder' : LINKED_FOLDER;
    if (!found.isFile()) return 'no file';
    return /\.(jpe?g|png|webp|gif|bmp|tiff?|hei[cf]|avif)$/i.test(path) || startsAsPicture(path) ? null : 'no picture';
  } catch (cause) {
    return `cannot be read: ${(cause as Error).message}`;
  }
}

const beginnings = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF[^]{4}WEBP|BM[^]{4}\0\0|II\*\0|MM\0\*|[^]{4}ftyp(hei|mif|avi))/;

/** Pictures without a suffix are pictures too. */
function startsAsPicture(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return beginnings.test(bytes.toString('latin1', 0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

function entryAt(path: string, root: string, fromFolders: boolean): Entry {
  const id = idOf(relative(root, path).split(sep).join('/'));
  return { id, keywords: fromFolders ? foldersOf(id) : [], path, dna: null };
}
