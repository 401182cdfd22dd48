import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** Whether these files have the content of the last build, as `remember` stored it. */
export function unchanged(stamp) {
  if (!existsSync(stamp)) return false;
  const { root, files, digest } = JSON.parse(readFileSync(stamp, 'utf8'));
  return root === process.cwd() && files.every((file) => existsSync(file)) && digestOf(files) === digest;
}

/** The files that the last build has read. */
export function filesOf(stamp) {
  return JSON.parse(readFileSync(stamp, 'utf8')).files;
}

/** Stores the content of the files that a build has read. @param files  paths, from the working folder */
export function remember(stamp, files) {
  const sorted = [...new Set(files.map((file) => relative('', file)))].sort();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ root: process.cwd(), files: sorted, digest: digestOf(sorted) }));
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}
