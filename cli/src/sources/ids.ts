/** The one character that file names have and ids cannot have becomes `_`. */
export function idOf(place: string): string {
  return place.normalize('NFC').replaceAll(';', '_');
}

/** The folders of a path, as keywords: characters that keywords cannot have become `_`. */
export function foldersOf(id: string): string[] {
  const folders = id.split('/').slice(0, -1);
  return [
    ...new Set(folders.map((name) => name.replace(/[;*()[\]]/g, '_')).filter((name) => name !== '.' && name !== '..')),
  ];
}
