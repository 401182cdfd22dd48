/**
 * Since version 1.50, libuv changes what it waits for through a ring (io_uring), which it makes before any script runs. Calls
 * through a ring pass a filter of system calls, so a confined child must not have one, and libuv aborts where it cannot
 * use its own. A process with a ring therefore forbids rings for itself, and starts its program once more.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { filterOfRings } from './seccomp.ts';
import { isKnown } from './system-calls.ts';

const PR_SET_NO_NEW_PRIVS = 38;

if (process.platform === 'linux' && isKnown(process.arch) && hasRing()) {
  const { arch } = process;
  const libc = await import('./libc.ts').then(
    ({ openLibc }) => openLibc(arch),
    () => undefined, // the package that calls the C library is not installed, so nothing is filtered later
  );
  libc?.prctl(PR_SET_NO_NEW_PRIVS, 1);
  if (libc?.filterSystemCalls(filterOfRings(arch))) {
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
    libc.execute(process.execPath, words, environment, [0, 1, 2, 3]);
  }
}

function hasRing(): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === 'anon_inode:[io_uring]';
    } catch {
      return false; // the descriptor of the folder itself
    }
  });
}
