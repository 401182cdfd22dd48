import { join } from 'node:path';
import { openDatabase } from './database.ts';
import { fileNames } from './folder.ts';
import { imageSchemas, imageWriter } from './image-table.ts';
import type { Change, Commit } from './image-table.ts';
import { serveThread } from './thread.ts';

let writer: Commit;

const jobs = {
  open(folder: string): void {
    writer = imageWriter(openDatabase(join(folder, fileNames.images), ...imageSchemas));
  },
  commit: (changes: readonly Change[]): number[] => writer(changes),
};
export type WriterJobs = typeof jobs;

serveThread(jobs);
