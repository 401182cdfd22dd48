import { mkdir, mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder whose files are old enough to be followed at once. */
export interface PictureFolder {
  readonly path: string;
  write(key: string, content: Uint8Array | string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

export async function pictureFolder(): Promise<PictureFolder> {
  const path = await mkdtemp(join(tmpdir(), 'sosia-source-'));
  let seconds = Date.now() / 1000 - 1_000_000;
  return {
    path,
    async write(key, content) {
      await mkdir(dirname(join(path, key)), { recursive: true });
      await writeFile(join(path, key), content);
      seconds++;
      await utimes(join(path, key), seconds, seconds);
    },
    async move(from, to) {
      await mkdir(dirname(join(path, to)), { recursive: true });
      await rename(join(path, from), join(path, to));
    },
    remove: (key) => rm(join(path, key), { recursive: true }),
    close: async () => {
      if (await stat(path).catch(() => undefined)) await rm(path, { recursive: true });
    },
  };
}
