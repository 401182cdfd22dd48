import { strictestRuleset } from './landlock.ts';
import type { Libc } from './libc.ts';
import { areLimitsSet } from './limits.ts';
import type { Confinement } from './measures.ts';
import { filterFor } from './seccomp.ts';
import { isKnown } from './system-calls.ts';

const PR_SET_PDEATHSIG = 1;
const PR_SET_DUMPABLE = 4;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;

/**
 * Takes from this process, for good, all rights that working on foreign bytes does not need. Everything must be loaded before:
 * no file can be opened afterwards. Where the system does not support a measure, the others still hold.
 * @param user  the user and group it becomes where it is root
 */
export async function confine(user: number): Promise<Confinement> {
  const held = { limits: areLimitsSet(), permissions: hasPermissionModel() };
  const libc = await openLibc();
  if (!libc) return { ...held, user: !isRoot(), landlock: false, system_calls: false, parent: false };

  const parent = process.ppid;
  if (isRoot()) libc.become(user);
  libc.prctl(PR_SET_DUMPABLE, 0); // no memory image, and /proc/PID belongs to root
  const dies = libc.prctl(PR_SET_PDEATHSIG, SIGKILL); // a change of user undoes it, so not earlier
  if (process.ppid !== parent) process.exit(); // the parent has died just before
  libc.prctl(PR_SET_NO_NEW_PRIVS, 1);
  const version = libc.landlockVersion();
  const landlock = version > 0 && libc.restrictByLandlock(strictestRuleset(version));
  const filtered = isKnown(process.arch) && libc.filterSystemCalls(filterFor(process.arch, process.pid));
  return { ...held, user: !isRoot(), landlock, system_calls: filtered, parent: dies };
}

/** undefined on other systems and processors, and where the package that calls the C library is not installed. */
async function openLibc(): Promise<Libc | undefined> {
  if (process.platform !== 'linux' || !isKnown(process.arch)) return undefined;
  const { arch } = process;
  return import('./libc.ts').then(
    ({ openLibc }) => openLibc(arch),
    () => undefined,
  );
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function hasPermissionModel(): boolean {
  return (process as { permission?: unknown }).permission !== undefined;
}
