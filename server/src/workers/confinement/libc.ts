import koffi from 'koffi';
import { numberOf, type Processor } from './system-calls.ts';

/** The calls by which a process gives up rights, each with its arguments as in C. All but `landlockVersion` return whether they succeeded. */
export interface Libc {
  prctl(option: number, value: number): boolean;
  /** Takes user, group and supplementary groups from all threads. */
  become(user: number): boolean;
  /** 0 where the kernel has no Landlock, or has it switched off. */
  landlockVersion(): number;
  /** Of the calling thread and those it starts. */
  restrictByLandlock(ruleset: Buffer): boolean;
  /** Of all threads. */
  filterSystemCalls(program: Buffer): boolean;
  /**
   * Replaces the program of this process; returns only if that fails. The first argument is the name of the program.
   * @param kept  descriptors that stay open; Node has all others closed
   */
  execute(path: string, args: readonly string[], environment: readonly string[], kept: readonly number[]): void;
}

const LANDLOCK_VERSION = 1;
const SET_MODE_FILTER = 1;
const F_SETFD = 2;
/** SECCOMP_FILTER_FLAG_TSYNC | SPEC_ALLOW: older kernels slow down all compiled code under a filter otherwise. */
const ALL_THREADS_AT_FULL_SPEED = 1 | 4;

const sockFilterProgram = koffi.struct({ length: 'uint16_t', filter: 'uint8_t *' });

/**
 * The C library this process runs on. `prctl`, `fcntl` and `syscall` are variadic in C, which on x64 and arm64 makes no difference
 * to whole numbers and pointers.
 */
export function openLibc(processor: Processor): Libc {
  const library = koffi.load(null);
  const prctl = library.func('prctl', 'int', ['int', 'ulong', 'ulong', 'ulong', 'ulong']);
  const setgroups = library.func('setgroups', 'int', ['size_t', 'void *']);
  const setresgid = library.func('setresgid', 'int', ['uint32_t', 'uint32_t', 'uint32_t']);
  const setresuid = library.func('setresuid', 'int', ['uint32_t', 'uint32_t', 'uint32_t']);
  const createRuleset = library.func('syscall', 'long', ['long', 'void *', 'size_t', 'uint32_t']);
  const restrictSelf = library.func('syscall', 'long', ['long', 'int', 'uint32_t']);
  const seccomp = library.func('syscall', 'long', ['long', 'uint', 'uint', koffi.pointer(sockFilterProgram)]);
  const close = library.func('close', 'int', ['int']);
  const fcntl = library.func('fcntl', 'int', ['int', 'int', 'long']);
  const execve = library.func('execve', 'int', ['str', 'const char **', 'const char **']);
  const [create, restrict, filter] = (['landlock_create_ruleset', 'landlock_restrict_self', 'seccomp'] as const).map(
    (call) => numberOf(call, processor),
  );
  return {
    prctl: (option, value) => prctl(option, value, 0, 0, 0) === 0,
    become: (user) =>
      setgroups(0, null) === 0 && setresgid(user, user, user) === 0 && setresuid(user, user, user) === 0,
    landlockVersion: () => Math.max(0, Number(createRuleset(create, null, 0, LANDLOCK_VERSION))),
    restrictByLandlock(ruleset) {
      const descriptor = Number(createRuleset(create, ruleset, ruleset.length, 0));
      const restricted = descriptor >= 0 && Number(restrictSelf(restrict, descriptor, 0)) === 0;
      if (descriptor >= 0) close(descriptor);
      return restricted;
    },
    filterSystemCalls: (program) =>
      Number(
        seccomp(filter, SET_MODE_FILTER, ALL_THREADS_AT_FULL_SPEED, { length: program.length / 8, filter: program }),
      ) === 0,
    execute(path, args, environment, kept) {
      for (const descriptor of kept) fcntl(descriptor, F_SETFD, 0);
      execve(path, [...args, null], [...environment, null]);
    },
  };
}
