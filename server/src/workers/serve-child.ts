import { createWriteStream, openSync, readSync } from 'node:fs';
import { Failure } from '../errors.ts';
import { confine } from './confinement/confine.ts';
import { readFrames, writeFrame } from './frames.ts';
import { collectLessOften } from './heap.ts';

/** The result of a task; `body` goes behind the head. */
export interface Reply {
  readonly head: object;
  readonly body?: Uint8Array;
}

/** Names another child of the same server; it is not answered. */
interface Introduction {
  /** Its process id. */
  readonly sibling: number;
}

/**
 * The main loop of a confined child that has loaded all its code. The child gives up its rights. Then it does the tasks on
 * standard input one at a time and answers on descriptor 3. It ends when its input ends, which is also when the server
 * dies. Never returns.
 * @param largestBody  most bytes behind the head of a task
 * @param run  a `Failure` that it throws is sent as such, anything else as a fault
 */
export async function serveConfined(
  largestBody: number,
  run: (task: object, body: Uint8Array) => Promise<Reply>,
): Promise<never> {
  collectLessOften(); // pixels of a picture are buffers
  // a socket would need a right to the network from Node 25 on
  const answers = createWriteStream('', { fd: 3 });
  answers.on('error', leave); // the server has died
  const residentBytes = openResidentBytes();
  const send = ({ head, body = new Uint8Array() }: Reply): void =>
    writeFrame(answers, { ...head, rss: residentBytes() }, body);
  const siblings = new Set<number>();

  const tasks = readFrames(process.stdin, largestBody);
  const user = Number(process.argv[2]);
  send({ head: { done: 'start', confinement: await confine(user) } });
  for await (const { head, body } of tasks) {
    if ('sibling' in (head as Introduction)) siblings.add((head as Introduction).sibling);
    else send(await run(head as object, body).catch(excuse));
  }
  return leave();

  /** The server may have died after it stopped another child, which could then never end where the kernel does not end it. */
  function leave(): never {
    for (const pid of siblings) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // it has ended already, or may not be signalled
      }
    }
    // an exit would not end: the filter refuses what the package that calls the C library does then
    if (process.platform === 'linux') process.abort();
    process.exit();
  }
}

function excuse(cause: unknown): Reply {
  if (cause instanceof Failure) return { head: { failed: cause.error, detail: cause.detail } };
  return { head: { fault: cause instanceof Error ? cause.stack : String(cause) } };
}

/** Reads the resident memory of this process, in bytes, also when files cannot be opened any more. */
function openResidentBytes(): () => number {
  if (process.platform !== 'linux') return () => process.memoryUsage.rss();
  const descriptor = openSync('/proc/self/status', 'r');
  const text = Buffer.alloc(8192);
  return () => {
    const length = readSync(descriptor, text, 0, text.length, 0);
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(text.toString('latin1', 0, length))![1]);
  };
}
