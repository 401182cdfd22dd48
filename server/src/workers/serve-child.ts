import { openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { readFrames, writeFrame } from './frames.ts';
import { confine } from './confinement/confine.ts';

/** What a child answers; `body` goes behind the head. */
export interface Reply {
  readonly head: object;
  readonly body?: Uint8Array;
}

/** Names another child of the same server; it is not answered. */
export interface Acquaintance {
  /** Its process id. */
  readonly beside: number;
}

/**
 * The life of a confined child, once it has loaded all it will ever need: it gives up its rights, then answers the
 * questions on standard input, one at a time, on descriptor 3, and ends when its input does, which is also when the
 * server dies. Never returns.
 * @param largestBody  most bytes behind the head of a question
 */
export async function serveConfined(
  largestBody: number,
  answer: (question: object, body: Uint8Array) => Promise<Reply>,
): Promise<never> {
  const answers = new Socket({ fd: 3, readable: false });
  answers.on('error', leave); // nobody is left to hear an answer
  const residentBytes = openResidentBytes();
  const send = ({ head, body = new Uint8Array() }: Reply): void =>
    writeFrame(answers, { ...head, rss: residentBytes() }, body);
  /** The other children of the server. */
  const beside = new Set<number>();

  const questions = readFrames(process.stdin, largestBody);
  const user = Number(process.argv[2]);
  send({ head: { done: 'start', confinement: await confine(user) } });
  for await (const { head, body } of questions) {
    if ('beside' in (head as Acquaintance)) beside.add((head as Acquaintance).beside);
    else send(await answer(head as object, body));
  }
  return leave();

  /** The server may have died while it had stopped another child, which could then never end where the kernel does not end it. */
  function leave(): never {
    for (const pid of beside) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // it has ended already, or may not be signalled
      }
    }
    process.exit();
  }
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
