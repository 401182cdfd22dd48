import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a program did to the files of a folder, and what it said, in one order. Inodes are numbered as files are made. */
export type DiskEvent =
  | { readonly kind: 'create'; readonly path: string; readonly inode: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'write'; readonly inode: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly inode: number; readonly length: number }
  /** A flush makes durable what was written before it began: the events before number `since`. */
  | { readonly kind: 'flush'; readonly inode: number; readonly since: number }
  | { readonly kind: 'flush folder'; readonly path: string; readonly since: number }
  | { readonly kind: 'said'; readonly line: string };

const KNOWN =
  'openat,open,creat,write,pwrite64,lseek,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,ftruncate';
/** Calls that would change a file in a way that is not simulated: none may be made in the folder. */
const FOREIGN = 'writev,pwritev,pwritev2,truncate,fallocate,link,linkat,symlink,symlinkat,copy_file_range,sendfile';

/**
 * Runs a program with all its processes under strace, its stdout in the file `said`. The folder must be empty.
 * @throws Error for a program that fails, or that changes a file of the folder by a call that is not simulated
 */
export async function traced(program: readonly string[], folder: string, said: string): Promise<DiskEvent[]> {
  const trace = `${said}.trace`;
  const calls = ['-e', `trace=${KNOWN},${FOREIGN}`, '-e', 'signal=none'];
  const out = openSync(said, 'w');
  const options = ['-f', '-qq', '--seccomp-bpf', '-y', '-xx', '-s', '16777216', ...calls, '-o', trace];
  const child = spawn('strace', [...options, ...program], { stdio: ['ignore', out, 'pipe'] });
  closeSync(out);
  let stderr = '';
  child.stderr!.on('data', (text: Buffer) => (stderr = (stderr + text.toString()).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program.join(' ')} ended with ${code} under strace: ${stderr}`);

  const reader = new TraceReader(folder, said);
  for await (const line of createInterface({ input: createReadStream(trace) })) reader.read(line);
  return reader.events;
}

/** `4906  write(18</path>, "text", 2) = 2`, and the two halves of a call that others have interrupted. */
const WHOLE = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/;
const BEGIN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const END = /^(\d+) +<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

class TraceReader {
  readonly events: DiskEvent[] = [];
  readonly #folder: string;
  readonly #said: string;
  /** By path, hexadecimal as strace writes it, without the place in the file. */
  readonly #inodes = new Map<string, number>();
  readonly #deleted = new Map<string, number>();
  readonly #sizes = new Map<number, number>();
  /** Where `write` goes on, by descriptor and path. */
  readonly #positions = new Map<string, { at: number; appends: boolean; flushes: boolean }>();
  /** By thread: the first half of a call, and how many events there were then. */
  readonly #begun = new Map<string, { args: string; since: number }>();
  #unfinishedLine = '';

  constructor(folder: string, said: string) {
    this.#folder = hex(folder);
    this.#said = hex(said);
  }

  read(line: string): void {
    const begin = BEGIN.exec(line);
    if (begin) {
      this.#begun.set(begin[1]!, { args: begin[3]!, since: this.events.length });
      return;
    }
    const end = END.exec(line);
    const [, thread, call, args, result] = end ?? WHOLE.exec(line) ?? [];
    if (result === undefined) return;
    const first = end ? this.#begun.get(thread!) : undefined;
    if (end) this.#begun.delete(thread!);
    const all = first ? first.args + args! : args!;
    if (Number(result) < 0 || !(all.includes(this.#folder) || all.includes(this.#said))) return;
    this.#take(call!, all, Number(result), first?.since ?? this.events.length, line);
  }

  #take(call: string, args: string, result: number, since: number, line: string): void {
    const fd = /^(\d+)<([^>]*)>(\(deleted\))?/.exec(args);
    const paths = [...args.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
    if (fd?.[2] === this.#said && call === 'write') return this.#say(bytesOf(paths[0]!));
    switch (call) {
      case 'open':
      case 'openat':
      case 'creat':
        return this.#open(paths[0]!, call === 'creat' ? 'O_CREAT|O_TRUNC' : args, result);
      case 'unlink':
      case 'unlinkat':
        return this.#unlink(paths[0]!);
      case 'rename':
      case 'renameat':
      case 'renameat2':
        return this.#rename(paths[0]!, paths[1]!);
    }
    if (!fd || !this.#isInside(fd[2]!)) {
      if (FOREIGN.split(',').includes(call) && paths.some((path) => this.#isInside(path)))
        throw notSimulated(call, line);
      return;
    }
    const [, number, path, deleted] = fd;
    const inode = (deleted ? this.#deleted : this.#inodes).get(path!);
    if (call === 'fsync' || call === 'fdatasync') {
      if (inode) this.events.push({ kind: 'flush', inode, since });
      else this.events.push({ kind: 'flush folder', path: text(path!), since });
      return;
    }
    if (!inode) throw new Error(`${call} of a file that was not made under strace: ${text(path!)}`);
    const position = this.#positions.get(`${number} ${path}`) ?? { at: 0, appends: false, flushes: false };
    switch (call) {
      case 'pwrite64':
        return this.#write(inode, Number(args.slice(args.lastIndexOf(',') + 1)), paths[0]!, result, position.flushes);
      case 'write':
        if (position.appends) position.at = this.#sizes.get(inode)!;
        this.#write(inode, position.at, paths[0]!, result, position.flushes);
        position.at += result;
        return;
      case 'lseek':
        position.at = result;
        return;
      case 'ftruncate':
        return this.#truncate(inode, Number(args.slice(args.lastIndexOf(',') + 1)));
    }
    throw notSimulated(call, line);
  }

  #open(path: string, flags: string, fd: number): void {
    if (!this.#isInside(path)) return;
    const known = this.#inodes.get(path);
    if (!known && !flags.includes('O_CREAT')) return; // a folder
    const inode = known ?? this.#sizes.size + 1;
    if (!known) {
      this.#inodes.set(path, inode);
      this.#sizes.set(inode, 0);
      this.events.push({ kind: 'create', path: text(path), inode });
    } else if (flags.includes('O_TRUNC')) this.#truncate(inode, 0);
    const [appends, flushes] = [flags.includes('O_APPEND'), /O_D?SYNC/.test(flags)];
    this.#positions.set(`${fd} ${path}`, { at: 0, appends, flushes });
  }

  #write(inode: number, offset: number, content: string, written: number, flushes: boolean): void {
    const bytes = bytesOf(content).subarray(0, written);
    this.events.push({ kind: 'write', inode, offset, bytes });
    this.#sizes.set(inode, Math.max(this.#sizes.get(inode)!, offset + written));
    if (flushes) this.events.push({ kind: 'flush', inode, since: this.events.length });
  }

  #truncate(inode: number, length: number): void {
    this.events.push({ kind: 'truncate', inode, length });
    this.#sizes.set(inode, length);
  }

  #unlink(path: string): void {
    const inode = this.#inodes.get(path);
    if (!inode) return; // a folder, or elsewhere
    this.events.push({ kind: 'unlink', path: text(path) });
    this.#inodes.delete(path);
    this.#deleted.set(path, inode);
  }

  #rename(path: string, to: string): void {
    const inode = this.#inodes.get(path);
    if (!inode) return;
    this.events.push({ kind: 'rename', path: text(path), to: text(to) });
    this.#inodes.delete(path);
    this.#inodes.set(to, inode);
  }

  #say(bytes: Uint8Array): void {
    const lines = (this.#unfinishedLine + Buffer.from(bytes).toString()).split('\n');
    this.#unfinishedLine = lines.pop()!;
    for (const line of lines) this.events.push({ kind: 'said', line });
  }

  #isInside(path: string): boolean {
    return path === this.#folder || path.startsWith(this.#folder + hex('/'));
  }
}

/** As strace -xx writes it. */
function hex(path: string): string {
  return Buffer.from(path).toString('hex').replace(/../g, '\\x$&');
}

function bytesOf(escaped: string): Uint8Array {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
}

function text(escaped: string): string {
  return Buffer.from(bytesOf(escaped)).toString();
}

function notSimulated(call: string, line: string): Error {
  return new Error(`a call that is not simulated, ${call}: ${line.slice(0, 200)}`);
}
