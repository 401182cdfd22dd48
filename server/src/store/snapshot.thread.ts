import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'libsql';
import { rowDigests } from './application-table.ts';
import { openToRead } from './database.ts';
import { fileNames, makeFolder, makePrivate, syncFile, syncFolder, writeFormat } from './folder.ts';
import { generationAfter, newIdentity, readIdentity, writeIdentity, type Identity } from './identity.ts';
import { requireWhole } from './inspection.ts';
import { RowDigestTable, type RowDigests } from './row-digests.ts';
import { serveThread } from '../workers/thread.ts';

const jobs = {
  copy({ from, to }: { from: string; to: string }): void {
    const { format, outdated } = requireWhole(from);
    makeFolder(to);
    const [stranger] = readdirSync(to);
    if (stranger) throw new Error(`expected an empty folder, found ${stranger} in ${to}`);

    // the pictures first: an application is created before its first picture, and its row is never removed
    for (const name of [fileNames.images, fileNames.applications]) {
      if (!existsSync(join(from, name))) continue;
      makePrivate(join(to, name));
      openToRead(join(from, name)).prepare('VACUUM INTO ?').run(join(to, name));
      syncFile(join(to, name));
    }
    const identity = typeof format === 'string' ? undefined : identify(to, format.folder, outdated);
    syncFolder(to); // the names too, before the file that marks the folder as complete
    writeFormat(to, identity);
    syncFolder(dirname(resolve(to)));
  },
};
export type SnapshotJobs = typeof jobs;

serveThread(jobs);

/** Both copies get a generation of their own, so that neither passes for a file of the source folder. */
function identify(to: string, folder: string, outdated: RowDigests): string {
  const applications = new Database(join(to, fileNames.applications));
  const images = new Database(join(to, fileNames.images));
  for (const database of [applications, images]) database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  const { next: _, unfinished: __, ...found } = identityOf(applications);
  for (const database of [applications, images]) database.exec('DELETE FROM identity'); // a damaged one cannot be followed
  const identity = { ...found, folder, generation: generationAfter(found.generation.count) };
  writeIdentity(applications, identity);
  // applications.db was copied later, so the digests may be those of earlier rows
  new RowDigestTable(images).replace(rowDigests(applications).digests);
  new RowDigestTable(images).note({ other: outdated, missing: [] });
  writeIdentity(images, { ...identity, rows: true });
  return folder;
}

function identityOf(applications: Database.Database): Identity {
  try {
    return readIdentity(applications);
  } catch {
    return newIdentity(0); // damaged
  }
}
