import { parentPort, Worker } from 'node:worker_threads';
import type { Steps } from '@sosia/engine';

/** The methods of an object that is in another thread; of a generator of steps or a promise, the result. */
export type Remote<T> = {
  readonly [M in keyof T]: T[M] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R extends Steps<infer V> ? V : Awaited<R>>
    : never;
};

/** The bytes alone: a view would take the whole buffer behind it along to the thread. */
export function detached(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly fault: Fault });

/** An error without its class, which would not survive the way between threads. */
interface Fault {
  readonly message: string;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** The main thread's end of a worker thread whose script calls `serveThread`. */
export class Thread<T extends object> {
  /** A method that throws rejects its call, and the thread goes on. */
  readonly remote: Remote<T>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Pending>();
  readonly #exited: Promise<number>;
  #calls = 0;
  #ended: { readonly rejection: unknown } | undefined;

  /** @param ended  called once when the thread ends; returns what pending and later calls reject with */
  constructor(script: URL, ended: (cause: Error) => unknown = (cause) => cause) {
    this.#worker = new Worker(script);
    const end = (cause: Error): void => {
      this.#ended ??= { rejection: ended(cause) };
      for (const { reject } of this.#waiting.values()) reject(this.#ended.rejection);
      this.#waiting.clear();
    };
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', end);
    this.#exited = new Promise((resolve) => this.#worker.on('exit', resolve));
    void this.#exited.then((code) => end(new Error(`the thread ended with code ${code}`)));
    const method =
      (name: string) =>
      (...args: unknown[]) =>
        this.#call(name, args);
    this.remote = new Proxy({} as Remote<T>, { get: (_, name) => method(name as string) });
  }

  /** Resolves once the thread has answered all calls and has ended, its databases closed with it. */
  async stop(): Promise<void> {
    if (!this.#ended) this.#worker.postMessage('stop');
    await this.#exited;
  }

  /** Ends the thread in the middle of its work. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended.rejection);
      const id = ++this.#calls;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, args } satisfies Call);
    });
  }

  #settle(reply: Reply): void {
    const pending = this.#waiting.get(reply.id); // none where the thread has failed before its answer arrived
    this.#waiting.delete(reply.id);
    if ('fault' in reply) pending?.reject(Object.assign(new Error(reply.fault.message), reply.fault));
    else pending?.resolve(reply.value);
  }
}

/**
 * The worker's end: answers calls from now on.
 * @param run  does the work of a call, now or later; without it each call is done at once
 */
export function serveThread(
  target: object,
  run = (work: () => unknown, _args: readonly unknown[], _method: string): unknown => work(),
): void {
  const port = parentPort!;
  const methods = target as Record<string, (...args: readonly unknown[]) => unknown>;
  port.on('message', (message: 'stop' | Call) => {
    if (message === 'stop') process.exit(); // ends this thread alone
    const { id, method, args } = message;
    const answer = (value: unknown): void => port.postMessage({ id, value } satisfies Reply);
    const refuse = (cause: unknown): void => port.postMessage({ id, fault: faultOf(cause) } satisfies Reply);
    try {
      const result = run(() => methods[method]!(...args), args, method);
      if (result instanceof Promise) result.then(answer, refuse);
      else answer(result);
    } catch (cause) {
      refuse(cause);
    }
  });
}

function faultOf(cause: unknown): Fault {
  if (!(cause instanceof Error)) return { message: String(cause) };
  const { message, stack } = cause;
  return { message, stack, code: (cause as { code?: string }).code };
}
