import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Failure } from '@sosia/server';

/** A process that reads data folders for a test, so that locks and crashes are its own. */
export interface Checker {
  /** Rejects with the error of the checker, also where its process ends. */
  ask(request: unknown): Promise<unknown>;
  ended(): boolean;
  end(): Promise<void>;
}

/** @param script  a compiled program that calls `answerRequests` */
export function startChecker(script: string): Checker {
  // libsql gives file descriptors back only when garbage is collected
  const child = spawn(process.execPath, ['--expose-gc', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {}); // the process has ended, and `ask` rejects
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const line = await lines.next();
      if (line.done) throw new Error(`the checker ended at ${JSON.stringify(request)}`);
      const { answer, error } = JSON.parse(line.value) as { answer?: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return answer;
    },
    ended,
    async end() {
      if (ended()) return;
      const exit = once(child, 'exit');
      child.kill(); // a database may keep it alive
      await exit;
    },
  };
}

/** Answers each request, a line of JSON on stdin, by a line on stdout. A failure of the service is given by its name. */
export async function answerRequests<Request>(answer: (request: Request) => Promise<unknown>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const outcome = await answer(JSON.parse(line) as Request).then(
      (value) => ({ answer: value }),
      (cause: unknown) => ({ error: cause instanceof Failure ? `${cause.error}: ${cause.message}` : String(cause) }),
    );
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    globalThis.gc?.();
  }
}
