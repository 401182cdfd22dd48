import type { Answer, Content, Fault, MatchingType, PairMatch, Side, Task } from './protocol.ts';

export interface EngineOptions {
  /** The address of the worker's script, if it does not lie beside this module. */
  readonly worker?: string | URL;
}

/** A picture or a DNA that was refused, or a worker that did not load (`no engine`). */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly fault: Fault | undefined;
  constructor(message: string, fault?: Fault) {
    super(message);
    this.fault = fault;
  }
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (cause: EngineError) => void;
}

/**
 * The engine in a worker of this page, so that no picture leaves the browser. The worker starts with the first task and
 * does one after the other. Methods reject with `EngineError`.
 * @typeParam Type  the types that the worker's script knows
 */
export class Engine<Type extends string = MatchingType> {
  readonly #script: string | URL | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #tasks = 0;

  constructor({ worker }: EngineOptions = {}) {
    this.#script = worker;
  }

  /** The DNA of a picture file. Other decoders and other reductions may give a slightly different one. */
  describe(picture: Blob, type: Type, side: Side): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ask({ work: 'describe', type, picture, side });
  }

  /** How a query and a reference match, each a picture file or its DNA; null if they do not. */
  match(query: Content, reference: Content, type: Type): Promise<PairMatch | null> {
    return this.#ask({ work: 'match', type, query, reference });
  }

  /** Ends the worker; waiting tasks are rejected. A later task starts it again. */
  close(): void {
    this.#end(new EngineError('The engine was closed'));
  }

  #ask<Result>(task: Task<Type>): Promise<Result> {
    this.#worker ??= this.#start();
    const number = ++this.#tasks;
    this.#worker.postMessage({ number, ...task });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  #start(): Worker {
    // bundlers find the worker by this expression as it is written
    const worker = this.#script
      ? new Worker(this.#script, { type: 'module' })
      : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const { resolve, reject } = this.#waiting.get(data.number)!;
      this.#waiting.delete(data.number);
      if ('result' in data) resolve(data.result as never);
      else reject(new EngineError(data.message, 'fault' in data ? data.fault : undefined));
    };
    worker.onerror = ({ message }) =>
      this.#end(new EngineError(`The worker of the engine failed${message ? `: ${message}` : ''}`, 'no engine'));
    return worker;
  }

  #end(cause: EngineError): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }
}
