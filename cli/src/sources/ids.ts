import { basename, isAbsolute } from 'node:path';

/** The one character that file names have and ids cannot have becomes `_`. */
export function idOf(path: string): string {
  return path.normalize('NFC').replaceAll(';', '_');
}

/** The id of a picture that a command line names: its path below the current folder, its address without `https://`, or else its name. */
export function idOfFile(path: string): string {
  const address = addressOf(path);
  if (address) return idOf(address.host + address.pathname + address.search);
  return idOf(isAbsolute(path) ? basename(path) : path.replace(/^(?:\.\.?\/)+/, ''));
}

/** The address that an argument is in place of a file; null for a path. */
export function addressOf(argument: string): URL | null {
  return /^https?:\/\//i.test(argument) && URL.canParse(argument) ? new URL(argument) : null;
}

/** The folders of a path, as keywords: characters that keywords cannot have become `_`. */
export function foldersOf(id: string): string[] {
  const folders = id.split('/').slice(0, -1);
  return [
    ...new Set(folders.map((name) => name.replace(/[;*()[\]]/g, '_')).filter((name) => name !== '.' && name !== '..')),
  ];
}
