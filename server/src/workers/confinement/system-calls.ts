/**
 * Numbers of the system calls that this folder names, by processor: x64, then arm64; null where it has none.
 * Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
 */
export const systemCalls = {
  brk: [12, 214],
  clock_getres: [229, 114],
  clock_gettime: [228, 113],
  clock_nanosleep: [230, 115],
  clone: [56, 220],
  clone3: [435, 435],
  close: [3, 57],
  epoll_ctl: [233, 21],
  epoll_pwait: [281, 22],
  epoll_pwait2: [441, 441],
  epoll_wait: [232, null],
  eventfd2: [290, 19],
  exit: [60, 93],
  exit_group: [231, 94],
  fcntl: [72, 25],
  fstat: [5, 80],
  futex: [202, 98],
  futex_waitv: [449, 449],
  get_robust_list: [274, 100],
  getcpu: [309, 168],
  getegid: [108, 177],
  geteuid: [107, 175],
  getgid: [104, 176],
  getpid: [39, 172],
  getppid: [110, 173],
  getrandom: [318, 278],
  getrusage: [98, 165],
  gettid: [186, 178],
  gettimeofday: [96, 169],
  getuid: [102, 174],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  lseek: [8, 62],
  madvise: [28, 233],
  membarrier: [324, 283],
  mmap: [9, 222],
  mprotect: [10, 226],
  mremap: [25, 216],
  munmap: [11, 215],
  nanosleep: [35, 101],
  pkey_mprotect: [329, 288],
  poll: [7, null],
  ppoll: [271, 73],
  prctl: [157, 167],
  pread64: [17, 67],
  read: [0, 63],
  readv: [19, 65],
  restart_syscall: [219, 128],
  rseq: [334, 293],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  rt_sigtimedwait: [128, 137],
  sched_getaffinity: [204, 123],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  sched_yield: [24, 124],
  seccomp: [317, 277],
  set_robust_list: [273, 99],
  set_tid_address: [218, 96],
  sigaltstack: [131, 132],
  sysinfo: [99, 179],
  tgkill: [234, 131],
  time: [201, null],
  times: [100, 153],
  uname: [63, 160],
  write: [1, 64],
  writev: [20, 66],
} as const satisfies Record<string, readonly [number, number | null]>;

export type SystemCall = keyof typeof systemCalls;

const processors = ['x64', 'arm64'] as const;
export type Processor = (typeof processors)[number];

export function isKnown(processor: string): processor is Processor {
  return (processors as readonly string[]).includes(processor);
}

export function numberOf(call: SystemCall, processor: Processor): number | null {
  return systemCalls[call][processors.indexOf(processor)]!;
}
