/** A file with its path below the dropped or chosen folder: `holiday/beach/1.jpg`. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

/** All files of a drop, including those in folders, in the order of their names, without hidden ones. */
export async function filesOf(data: DataTransfer): Promise<NamedFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []); // before the first await
  if (entries.length === 0) return [...data.files].map((file) => ({ name: file.name, file }));
  const found = await Promise.all(entries.map((entry) => walk(entry, '')));
  return found.flat();
}

async function walk(entry: FileSystemEntry, folder: string): Promise<NamedFile[]> {
  const name = `${folder}${entry.name}`;
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile) return [{ name, file: await fileOf(entry as FileSystemFileEntry) }];
  const below: NamedFile[] = [];
  const entries = await entriesOf(entry as FileSystemDirectoryEntry);
  for (const each of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) below.push(...(await walk(each, `${name}/`)));
  return below;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader returns a hundred at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
