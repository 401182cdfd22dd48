import { Worker, parentPort } from 'node:worker_threads';

/** What a thread can be asked for; it answers one call after another, in the order they were made. */
export type Jobs = Record<string, (argument: never) => unknown>;

interface Call {
  readonly call: number;
  readonly job: string;
  readonly argument: never;
}

type Answer =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly fault: { readonly message: string; readonly code?: string | undefined } };

/** The main thread's end of a worker thread. Once the thread is gone, every call rejects. */
export class Thread<J extends Jobs> {
  #worker: Worker;
  #waiting = new Map<number, { resolve(value: never): void; reject(cause: unknown): void }>();
  #calls = 0;
  #gone: Error | undefined;
  #exited: Promise<unknown>;

  constructor(script: URL) {
    this.#worker = new Worker(script);
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.call)!;
      this.#waiting.delete(answer.call);
      if ('fault' in answer) waiting.reject(Object.assign(new Error(answer.fault.message), answer.fault));
      else waiting.resolve(answer.value as never);
    });
    this.#worker.on('error', (cause) => this.#end(cause));
    this.#exited = new Promise((resolve) => this.#worker.on('exit', resolve));
    void this.#exited.then(() => this.#end(new Error('the thread has ended')));
  }

  call<N extends keyof J>(job: N, argument: Parameters<J[N]>[0]): Promise<ReturnType<J[N]>> {
    if (this.#gone) return Promise.reject(this.#gone);
    const call = ++this.#calls;
    this.#worker.postMessage({ call, job, argument });
    return new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject }));
  }

  /** Resolves once the thread has answered what was asked and has ended, its databases closed with it. */
  async stop(): Promise<void> {
    if (!this.#gone) this.#worker.postMessage('stop');
    await this.#exited;
  }

  #end(cause: Error): void {
    this.#gone ??= cause;
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}

/** The worker's end: answers calls from now on. A job that throws rejects its call, and the thread goes on. */
export function serveThread(jobs: Jobs): void {
  const port = parentPort!;
  port.on('message', (message: 'stop' | Call) => {
    if (message === 'stop') process.exit(); // ends this thread alone
    port.postMessage(answer(message));
  });

  function answer({ call, job, argument }: Call): Answer {
    try {
      return { call, value: jobs[job]!(argument) };
    } catch (cause) {
      const { message, code } = cause as Error & { code?: string };
      return { call, fault: { message, code } };
    }
  }
}
