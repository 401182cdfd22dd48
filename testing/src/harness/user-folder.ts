import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A new empty folder of another user, who may not be allowed to use that for temporary files; undefined if there is no place. */
export function folderOfUser(user: number): string | undefined {
  for (const place of [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']) {
    const options = { uid: user, gid: user, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('mktemp', ['-d', `${place}/sosia-user-XXXXXX`], options);
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

/** Whether there is a place for such a folder; without the rights of root no other user is needed. */
export function hasFolderOfUser(user: number): boolean {
  if (process.getuid?.() !== 0) return true;
  const folder = folderOfUser(user);
  if (folder !== undefined) rmSync(folder, { recursive: true });
  return folder !== undefined;
}
