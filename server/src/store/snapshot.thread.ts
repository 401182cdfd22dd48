import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openToRead } from './database.ts';
import { fileNames, syncFile, syncFolder, writeFormat } from './folder.ts';
import { serveThread } from './thread.ts';

const jobs = {
  copy({ from, to }: { from: string; to: string }): void {
    mkdirSync(to, { recursive: true });
    const [stranger] = readdirSync(to);
    if (stranger) throw new Error(`expected an empty folder, found ${stranger} in ${to}`);

    // the pictures first: an application is made before its first picture and its row is never removed
    for (const name of [fileNames.images, fileNames.applications]) {
      if (!existsSync(join(from, name))) continue;
      openToRead(join(from, name)).prepare('VACUUM INTO ?').run(join(to, name));
      syncFile(join(to, name));
    }
    syncFolder(to); // the names too, before the one that says that all is there
    writeFormat(to);
    syncFolder(dirname(resolve(to)));
  },
};
export type SnapshotJobs = typeof jobs;

serveThread(jobs);
