import { readdirSync, readlinkSync } from 'node:fs';

/** Files below a folder that this process has open; none where the system does not list them. */
export function openFilesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${file}`);
      return path.startsWith(`${folder}/`) ? [path] : [];
    } catch {
      return []; // that of the list itself
    }
  });
}
