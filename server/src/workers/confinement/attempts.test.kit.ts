import koffi from 'koffi';

/** What a process that has been taken over may reach for. */
export interface Targets {
  /** The data folder, with a file `secret` in it. */
  readonly folder: string;
  /** A file in the role of one of the program. */
  readonly program: string;
  readonly node: string;
  readonly server: number;
  /** A process that has nothing to do with the server. */
  readonly bystander: number;
  /** Where in the server's memory a secret lies, as a decimal number. */
  readonly address: string;
  readonly tcp4: number;
  readonly tcp6: number;
  readonly udp4: number;
  /** A listening Unix socket of the file system, and an abstract one. */
  readonly unix: string;
}

const library = koffi.load(null);
const functions = new Map<string, (...values: unknown[]) => number | bigint>();
/** Calls a function of the C library, each time with the same types. */
function c(name: string, types: readonly string[], ...values: unknown[]): number {
  const key = `${name} ${types.join()}`;
  const result = ['syscall', 'opendir', 'process_vm_readv'].includes(name) ? 'long' : 'int';
  if (!functions.has(key)) functions.set(key, library.func(name, result, [...types]) as never);
  return Number(functions.get(key)!(...values));
}

const C_TYPE = { int: 'int', text: 'str', bytes: 'uint8_t *', long: 'long', list: 'const char **' };
const [READ, WRITE, CREATE] = [0, 1, 0o101];
const open = (path: string, flags: number): boolean =>
  c('open', [C_TYPE.text, C_TYPE.int, C_TYPE.int], path, flags, 0o600) >= 0;
/** Of one that has two numbers, on x64 and arm64. */
const system = (x64: number, arm64: number, ...values: unknown[]): number =>
  c('syscall', [C_TYPE.long, ...values.map(() => C_TYPE.long)], process.arch === 'x64' ? x64 : arm64, ...values);
const [UNIX, IPV4, IPV6, NETLINK] = [1, 2, 10, 16];
const [STREAM, DATAGRAM] = [1, 2];
const socket = (family: number, kind: number): number =>
  c('socket', [C_TYPE.int, C_TYPE.int, C_TYPE.int], family, kind, 0);

function address(family: number, port: number): Buffer {
  const bytes = Buffer.alloc(family === IPV4 ? 16 : 28);
  bytes.writeUInt16LE(family);
  bytes.writeUInt16BE(port, 2);
  if (family === IPV4) bytes.set([127, 0, 0, 1], 4);
  else bytes[23] = 1;
  return bytes;
}

function unixAddress(path: string): Buffer {
  return Buffer.concat([Buffer.from([UNIX, 0]), Buffer.from(path), Buffer.alloc(path.startsWith('\0') ? 0 : 1)]);
}

function reaches(kind: number, to: Buffer): boolean {
  const descriptor = socket(to[0]!, kind);
  return descriptor >= 0 && c('connect', [C_TYPE.int, C_TYPE.bytes, C_TYPE.int], descriptor, to, to.length) === 0;
}

function listens(family: number): boolean {
  const descriptor = socket(family, STREAM);
  const to = address(family, 0);
  const bound = descriptor >= 0 && c('bind', [C_TYPE.int, C_TYPE.bytes, C_TYPE.int], descriptor, to, to.length) === 0;
  return bound && c('listen', [C_TYPE.int, C_TYPE.int], descriptor, 1) === 0;
}

function grows(descriptor: number): boolean {
  return descriptor >= 0 && c('ftruncate', [C_TYPE.int, C_TYPE.long], descriptor, 2 ** 30) === 0;
}

function remembers(bytes: Buffer): Buffer {
  const vector = Buffer.alloc(16);
  vector.writeBigUInt64LE(koffi.address(bytes), 0);
  vector.writeBigUInt64LE(BigInt(bytes.length), 8);
  return vector;
}

function readsMemory({ server, address }: Targets): boolean {
  const [here, there] = [remembers(Buffer.alloc(8)), Buffer.alloc(16)];
  there.writeBigUInt64LE(BigInt(address), 0);
  there.writeBigUInt64LE(8n, 8);
  const types = [C_TYPE.int, C_TYPE.bytes, C_TYPE.long, C_TYPE.bytes, C_TYPE.long, C_TYPE.long];
  return c('process_vm_readv', types, server, here, 1, there, 1, 0) > 0;
}

function forks(start: () => number): boolean {
  const pid = start();
  if (pid === 0) c('_exit', [C_TYPE.int], 0);
  return pid > 0;
}

/** By F_SETOWN a pipe sends signals to another process. */
function ownsSignals({ server }: Targets): boolean {
  return c('fcntl', [C_TYPE.int, C_TYPE.int, C_TYPE.int], 0, 8, server) === 0;
}

const SIGCONT = 18;
const SIGCHLD = 17;
const SEIZE = 0x4206; // of ptrace
const NEW_USER = 0x1000_0000;

/** Each returns whether it worked. They call the C library, not Node, as a codec's code would. */
export const attempts: Readonly<Record<string, (targets: Targets) => boolean>> = {
  'read the data folder': ({ folder }) => open(`${folder}/secret`, READ),
  'list the data folder': ({ folder }) => c('opendir', [C_TYPE.text], folder) !== 0,
  'see that a file is there': ({ folder }) => c('access', [C_TYPE.text, C_TYPE.int], `${folder}/secret`, 0) === 0,
  'write to a file of the data folder': ({ folder }) => open(`${folder}/secret`, WRITE),
  'cut a file of the data folder': ({ folder }) =>
    c('truncate', [C_TYPE.text, C_TYPE.long], `${folder}/secret`, 4) === 0,
  'make a file in the data folder': ({ folder }) => open(`${folder}/new`, CREATE),
  'make a folder': ({ folder }) => c('mkdir', [C_TYPE.text, C_TYPE.int], `${folder}/more`, 0o700) === 0,
  'rename a file': ({ folder }) => c('rename', [C_TYPE.text, C_TYPE.text], `${folder}/spare`, `${folder}/other`) === 0,
  'remove a file': ({ folder }) => c('unlink', [C_TYPE.text], `${folder}/other`) === 0,
  'make a link': ({ folder }) => c('symlink', [C_TYPE.text, C_TYPE.text], '/etc', `${folder}/link`) === 0,
  'change the rights of a file': ({ folder }) => c('chmod', [C_TYPE.text, C_TYPE.int], `${folder}/secret`, 0o666) === 0,
  'read /etc/passwd': () => open('/etc/passwd', READ),
  'read a file of the program': ({ program }) => open(program, READ),
  'write to a file of the program': ({ program }) => open(program, WRITE),
  'read its own memory as a file': () => open('/proc/self/mem', READ),
  'make a large file': ({ folder }) =>
    grows(c('open', [C_TYPE.text, C_TYPE.int, C_TYPE.int], `${folder}/large`, CREATE | 1, 0o600)),
  'make a large file in memory': () => grows(c('memfd_create', [C_TYPE.text, C_TYPE.int], 'large', 0)),
  'hold a gigabyte of memory': () =>
    c('posix_memalign', [C_TYPE.bytes, C_TYPE.long, C_TYPE.long], Buffer.alloc(8), 4096, 2 ** 30) === 0,
  'change the folder it is in': () => c('chdir', [C_TYPE.text], '/tmp') === 0,
  'start a process': () => forks(() => c('fork', [])),
  'start a program beside it': () =>
    c(
      'posix_spawn',
      [C_TYPE.bytes, C_TYPE.text, C_TYPE.bytes, C_TYPE.bytes, C_TYPE.list, C_TYPE.list],
      Buffer.alloc(8),
      '/bin/true',
      null,
      null,
      ['true', null],
      [null],
    ) === 0,
  'connect by IPv4': ({ tcp4 }) => reaches(STREAM, address(IPV4, tcp4)),
  'connect by IPv6': ({ tcp6 }) => reaches(STREAM, address(IPV6, tcp6)),
  'send by UDP': ({ udp4 }) => reaches(DATAGRAM, address(IPV4, udp4)),
  'connect to a Unix socket': ({ unix }) => reaches(STREAM, unixAddress(unix)),
  'make a Unix socket': () => socket(UNIX, STREAM) >= 0,
  'make a pair of sockets': () =>
    c('socketpair', [C_TYPE.int, C_TYPE.int, C_TYPE.int, C_TYPE.bytes], UNIX, STREAM, 0, Buffer.alloc(8)) === 0,
  'listen by IPv4': () => listens(IPV4),
  'listen by IPv6': () => listens(IPV6),
  'ask the kernel for the network': () => socket(NETLINK, DATAGRAM) >= 0,
  "read the server's environment": ({ server }) => open(`/proc/${server}/environ`, READ),
  "open the server's memory": ({ server }) => open(`/proc/${server}/mem`, READ),
  "read the server's memory": readsMemory,
  'trace another process': ({ bystander }) =>
    c('ptrace', [C_TYPE.long, C_TYPE.long, C_TYPE.long, C_TYPE.long], SEIZE, bystander, 0, 0) === 0,
  "hold the server's process": ({ server }) => system(434, 434, server, 0) >= 0,
  'signal the server': ({ server }) => c('kill', [C_TYPE.int, C_TYPE.int], server, SIGCONT) === 0,
  'signal a thread of the server': ({ server }) => system(234, 131, server, server, SIGCONT) === 0,
  'signal the server by a pipe': ownsSignals,
  'signal another process': ({ bystander }) => c('kill', [C_TYPE.int, C_TYPE.int], bystander, SIGCONT) === 0,
  "change the server's priority": ({ server }) =>
    c('setpriority', [C_TYPE.int, C_TYPE.int, C_TYPE.int], 0, server, 19) === 0,
  'bind the server to a processor': ({ server }) =>
    c('sched_setaffinity', [C_TYPE.int, C_TYPE.long, C_TYPE.bytes], server, 128, Buffer.alloc(128, 0xff)) === 0,
  "read the server's limits": ({ server }) =>
    c('prlimit', [C_TYPE.int, C_TYPE.int, C_TYPE.bytes, C_TYPE.bytes], server, 7, null, Buffer.alloc(16)) === 0,
  'make a namespace': () => forks(() => system(56, 220, NEW_USER | SIGCHLD, 0, 0, 0, 0)),
  'use shared memory': () => c('shmget', [C_TYPE.int, C_TYPE.long, C_TYPE.int], 0, 4096, 0o1600) >= 0,
  'use a key of the kernel': () => system(250, 219, 0, -3, 1) >= 0 /* KEYCTL_GET_KEYRING_ID, the session's */,
  'make an io_uring': () => c('syscall', [C_TYPE.long, C_TYPE.long, C_TYPE.bytes], 425, 4, Buffer.alloc(120)) >= 0,
  'watch files': () => c('inotify_init', []) >= 0,
};

/** These replace the process where they work. */
export const replacements: Readonly<Record<string, (targets: Targets) => void>> = {
  'run a shell': () =>
    void c('execve', [C_TYPE.text, C_TYPE.list, C_TYPE.list], '/bin/sh', ['sh', '-c', 'true', null], [null]),
  'run Node': ({ node }) =>
    void c('execve', [C_TYPE.text, C_TYPE.list, C_TYPE.list], node, ['node', '--version', null], [null]),
};

export const THREAD = 'read the data folder in another thread';

/** Opens a file in a thread that was there before the confinement. */
export function readsInAnotherThread({ folder }: Targets): Promise<boolean> {
  const open = library.func('open', 'int', ['str', 'int', 'int']);
  return new Promise((resolve, reject) =>
    open.async(`${folder}/secret`, READ, 0, (cause: Error | null, descriptor: number) =>
      cause ? reject(cause) : resolve(descriptor >= 0),
    ),
  );
}
