import { numberOf, type Processor, type SystemCall } from './system-calls.ts';

/**
 * The system calls of a child that has loaded everything: memory, time, its own threads, and the open pipes. None of them
 * opens a file or a socket, or starts or signals another process.
 */
const allowed: readonly SystemCall[] = [
  ...(['brk', 'madvise', 'membarrier', 'mmap', 'mprotect', 'mremap', 'munmap', 'pkey_mprotect'] as const),
  ...(['clock_getres', 'clock_gettime', 'clock_nanosleep', 'gettimeofday', 'nanosleep', 'time', 'times'] as const),
  ...(['exit', 'exit_group', 'futex', 'futex_waitv', 'get_robust_list', 'rseq', 'sched_yield'] as const),
  ...(['set_robust_list', 'set_tid_address'] as const),
  ...(['restart_syscall', 'rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'rt_sigtimedwait', 'sigaltstack'] as const),
  ...(['close', 'epoll_ctl', 'epoll_pwait', 'epoll_pwait2', 'epoll_wait', 'eventfd2', 'fstat', 'lseek'] as const),
  ...(['poll', 'ppoll', 'pread64', 'read', 'readv', 'write', 'writev'] as const),
  ...(['getcpu', 'getegid', 'geteuid', 'getgid', 'getpid', 'getppid', 'getrandom', 'getrusage', 'gettid'] as const),
  ...(['getuid', 'sched_getaffinity', 'sched_getparam', 'sched_getscheduler', 'sysinfo', 'uname'] as const),
];

const PR_SET_NAME = 15;
/** F_GETFD, F_SETFD, F_GETFL, F_SETFL: not F_SETOWN, by which a pipe sends signals to another process. */
const descriptorFlags = [1, 2, 3, 4];
/** FIONBIO, FIOCLEX, FIONCLEX, FIONREAD. */
const descriptorModes = [0x5421, 0x5451, 0x5450, 0x541b];
const CLONE_THREAD = 0x0001_0000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACES = 0x0002_0000 | 0x7e00_0000;

const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0001; // SECCOMP_RET_ERRNO, EPERM
const UNKNOWN_CALL = 0x0005_0026; // SECCOMP_RET_ERRNO, ENOSYS

const architectures: Readonly<Record<Processor, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** `struct seccomp_data`: number of the call, architecture, instruction pointer, six arguments of 64 bits. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (n: number): number => 16 + 8 * n;

/** Instructions of the classic packet filter (McCanne, Jacobson, USENIX 1993). */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];
const JUMP_IF_EQUAL = 0x15;
const load = (at: number): Instruction => [0x20, 0, 0, at];
const skipUnless = (value: number, skipped: number): Instruction => [JUMP_IF_EQUAL, 0, skipped, value];
const skipIfAny = (bits: number, skipped: number): Instruction => [0x45, skipped, 0, bits];
const skipIfNone = (bits: number, skipped: number): Instruction => [0x45, 0, skipped, bits];
const answer = (action: number): Instruction => [0x06, 0, 0, action];

/**
 * The filter as an array of `struct sock_filter`, 8 bytes each. A refused call fails with EPERM, so that the child can
 * report the cause. clone3 hides its flags from filters and is answered as unknown: C libraries fall back to clone.
 * @param process  id of the process itself, the only one whose threads it may signal (abort does)
 */
export function filterFor(processor: Processor, process: number): Buffer {
  const when = (call: SystemCall, ...then: Instruction[]): Instruction[] => {
    const number = numberOf(call, processor);
    return number === null ? [] : [skipUnless(number, then.length), ...then];
  };
  const whenArgument = (call: SystemCall, n: number, values: readonly number[]): Instruction[] =>
    when(call, load(argument(n)), ...values.flatMap((value) => [skipUnless(value, 1), answer(ALLOW)]), answer(REFUSE));
  return packed([
    load(ARCHITECTURE),
    [JUMP_IF_EQUAL, 1, 0, architectures[processor]],
    answer(REFUSE), // the numbers below mean other calls there
    load(NUMBER),
    ...allowed.flatMap((call) => when(call, answer(ALLOW))),
    ...when('clone3', answer(UNKNOWN_CALL)),
    ...when(
      'clone',
      load(argument(0)),
      skipIfAny(NAMESPACES, 2),
      skipIfNone(CLONE_THREAD, 1),
      answer(ALLOW),
      answer(REFUSE),
    ),
    ...whenArgument('tgkill', 0, [process]),
    ...whenArgument('prctl', 0, [PR_SET_NAME]),
    ...whenArgument('fcntl', 1, descriptorFlags),
    ...whenArgument('ioctl', 1, descriptorModes),
    answer(REFUSE),
  ]);
}

/** A filter that allows every call but the one that makes a ring, which is answered as unknown. */
export function filterOfRings(processor: Processor): Buffer {
  return packed([
    load(ARCHITECTURE),
    [JUMP_IF_EQUAL, 1, 0, architectures[processor]],
    answer(REFUSE),
    load(NUMBER),
    skipUnless(numberOf('io_uring_setup', processor)!, 1),
    answer(UNKNOWN_CALL),
    answer(ALLOW),
  ]);
}

function packed(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length);
  program.forEach(([code, ifTrue, ifFalse, operand], i) => {
    bytes.writeUInt16LE(code, 8 * i);
    bytes.writeUInt8(ifTrue, 8 * i + 2);
    bytes.writeUInt8(ifFalse, 8 * i + 3);
    bytes.writeUInt32LE(operand >>> 0, 8 * i + 4);
  });
  return bytes;
}
