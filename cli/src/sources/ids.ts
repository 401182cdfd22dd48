import { basename, isAbsolute } from 'node:path';

/** The one character that file names have and ids cannot have becomes `_`. */
export function idOf(path: string): string {
  return path.normalize('NFC').replaceAll(';', '_');
}

/** The id of a picture file that a command line names: its path below the current folder, or else its name. */
export function idOfFile(path: string): string {
  return idOf(isAbsolute(path) ? basename(path) : path.replace(/^(?:\.\.?\/)+/, ''));
}

/** The folders of a path, as keywords: characters that keywords cannot have become `_`. */
export function foldersOf(id: string): string[] {
  const folders = id.split('/').slice(0, -1);
  return [
    ...new Set(folders.map((name) => name.replace(/[;*()[\]]/g, '_')).filter((name) => name !== '.' && name !== '..')),
  ];
}
