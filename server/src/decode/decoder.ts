import { PDQ_BYTES, typeDefinitions } from '@sosia/engine';
import type { ApplicationType, DescribeOptions, FileTraces, Homography, Pdq, Picture, Side } from '@sosia/engine';
import { fail, isFailure } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { ChildPool, poolDefaults, type PoolOptions } from '../workers/child-pool.ts';
import { assertDone } from '../workers/answer.ts';
import type { ChildKind } from '../workers/confined-child.ts';
import type { Confinement } from '../workers/confinement/measures.ts';
import type { ChildSlot } from '../workers/supervisor.ts';
import { CHILD_MEMORY, LARGEST_FILE, tooLargeFile } from './limits.ts';
import {
  checkedDecodeAnswer,
  LARGEST_DECODED_SIDE,
  type Compared,
  type DecodeAnswer,
  type DecodeTask,
} from './protocol.ts';
import { Quarantine } from './quarantine.ts';

export interface DecoderOptions extends Pick<PoolOptions, 'children' | 'spare' | 'waiting' | 'user'> {
  /** Longest wait of a picture for a child, in milliseconds; then OVERLOADED. */
  readonly waitLimit: number;
  /** The same for a picture that is to be added. */
  readonly addWaitLimit: number;
  /**
   * Milliseconds from the start of the work to its answer; twice as many for two pictures. On a busy machine processor time
   * counts instead.
   */
  readonly timeLimit: number;
  /** Milliseconds of the clock from the call to OVERLOADED where a child gets too little of a busy machine. */
  readonly patience: number;
  /** Pictures after which a child is replaced. */
  readonly picturesPerChild: number;
  /** Resident bytes over which a child is replaced. */
  readonly memoryPerChild: number;
  readonly metrics: Metrics;
  /** Called when a child ended by itself. */
  report(event: string): void;
}

const usual: Omit<DecoderOptions, 'metrics'> = {
  children: 2,
  spare: process.platform !== 'win32', // where no process can be stopped
  waiting: poolDefaults.waiting,
  waitLimit: 5000,
  addWaitLimit: 10_000,
  timeLimit: 2800, // so that an idle service answers over HTTP within 3 s
  patience: 14_000,
  picturesPerChild: 1000,
  memoryPerChild: 300_000_000,
  user: poolDefaults.user,
  report: () => {},
};

const decodeChild: ChildKind<DecodeAnswer> = {
  name: 'decode child',
  script: new URL('./decode.child.js', import.meta.url),
  memory: CHILD_MEMORY,
  largestAnswer: 3 * LARGEST_DECODED_SIDE ** 2,
  check: checkedDecodeAnswer,
  failures: { late: 'DECODE_TIMEOUT', crashed: 'DECODER_CRASHED' },
};

/** What is kept of a reference picture. */
export interface Kept {
  readonly dna: Uint8Array;
  /** A JPEG of at most 320 pixels a side and 16 KB. */
  readonly thumbnail: Uint8Array;
  readonly traces?: FileTraces | undefined;
  /** If requested. */
  readonly pdq?: Pdq | undefined;
}

export interface MarkedComparison extends Omit<Compared, 'referenceBytes'> {
  /** JPEG files. */
  readonly reference: Uint8Array;
  readonly query: Uint8Array;
}

/**
 * Makes DNA or pixels of picture files, in child processes. Methods reject with a `Failure`: not a picture,
 * too large, damaged, nothing to describe, took too long, crashed, too busy.
 */
export class Decoder {
  readonly #options: DecoderOptions;
  readonly #pool: ChildPool<DecodeAnswer>;
  readonly #quarantine = new Quarantine();

  private constructor(options: DecoderOptions) {
    this.#options = options;
    const { metrics, waiting, picturesPerChild, memoryPerChild } = options;
    const pool = new ChildPool(decodeChild, {
      ...poolDefaults,
      ...options,
      resource: { name: 'a decoder', awaited: 'a free decoder' },
      lifetime: { answers: picturesPerChild, memory: memoryPerChild },
      replaced(reason, event) {
        metrics.count('decodeRestarts', { reason });
        if (reason === 'lost') options.report(event);
      },
    });
    this.#pool = pool;
    for (const reason of ['worn', 'lost']) metrics.count('decodeRestarts', { reason }, 0); // for alarms, as in answering.ts
    metrics.sample('decodeWaiting', () => [[pool.waiting]]);
    metrics.sample('decodeWaitingLimit', () => [[waiting]]);
    metrics.sample('decodeChildren', () => [
      [pool.idle, { state: 'idle' }],
      [pool.busy, { state: 'busy' }],
    ]);
    metrics.sample('confinement', () =>
      Object.entries(pool.confinement).map(([measure, holds]) => [Number(holds), { measure }]),
    );
  }

  /** Resolves once the first child can be given pictures, others start when needed; rejects where it does not start. */
  static async start(options: Partial<DecoderOptions> = {}): Promise<Decoder> {
    const decoder = new Decoder({ metrics: new Metrics(), ...usual, ...options });
    try {
      await decoder.#pool.ready();
      return decoder;
    } catch (cause) {
      await decoder.close();
      throw cause;
    }
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return this.#pool.pids;
  }

  /** Which measures hold in every child that was started. */
  get confinement(): Confinement {
    return this.#pool.confinement;
  }

  /** @throws Failure OVERLOADED where a picture of this tenant would be refused now */
  checkRoomFor(tenant: number): void {
    this.#pool.checkRoomFor(tenant);
  }

  async describe(
    content: Uint8Array,
    type: ApplicationType,
    side: Side,
    tenant = 0,
    options: DescribeOptions = {},
  ): Promise<Uint8Array> {
    const { body } = await this.#run({ kind: 'describe', type, side, options }, [content], tenant);
    typeDefinitions[type].checkDna(body, side); // a child may have been taken over
    return Uint8Array.from(body); // on its own, so that typed arrays may look at it
  }

  /** @param hashed  whether the answer has `pdq`, as the method makes it */
  async keep(
    content: Uint8Array,
    type: ApplicationType,
    tenant = 0,
    options: DescribeOptions = {},
    hashed = false,
  ): Promise<Kept> {
    const task = { kind: 'keep', type, options, hashed } as const;
    const { dnaBytes = 0, quality, traces, body } = await this.#run(task, [content], tenant);
    const dna = Uint8Array.from(body.subarray(0, dnaBytes));
    typeDefinitions[type].checkDna(dna, 'reference');
    const behind = quality === undefined ? dnaBytes : dnaBytes + PDQ_BYTES;
    const pdq = quality === undefined ? undefined : { hash: body.slice(dnaBytes, behind), quality };
    return { dna, thumbnail: Uint8Array.from(body.subarray(behind)), traces, pdq };
  }

  /**
   * The pixels, reduced to `longestSide` where the picture is larger, never enlarged.
   * @param longestSide  1 to 4,096 pixels
   */
  async decode(content: Uint8Array, longestSide: number, tenant = 0): Promise<Picture> {
    const { size, body } = await this.#run({ kind: 'decode', longestSide }, [content], tenant);
    return { ...size!, rgb: body };
  }

  /** Of the upright picture on white, its long side at most 2,048 pixels. */
  async pdq(content: Uint8Array, tenant = 0): Promise<Pdq> {
    const { quality, body } = await this.#run({ kind: 'pdq' }, [content], tenant);
    return { hash: body, quality: quality! };
  }

  /** Aligns two pictures and marks where they differ. Rejects with NOT_ALIGNED where they do not show the same. */
  async compare(reference: Uint8Array, query: Uint8Array, tenant = 0): Promise<MarkedComparison> {
    const task = { kind: 'compare', referenceBytes: reference.length } as const;
    const { compared, body } = await this.#run(task, [reference, query], tenant);
    const { referenceBytes, ...comparison } = compared!;
    return { ...comparison, reference: body.subarray(0, referenceBytes), query: body.subarray(referenceBytes) };
  }

  /** What was done to either of two thumbnails. @param map  from the unit square of the first to that of the second */
  async edits(first: Uint8Array, second: Uint8Array, map: Homography, tenant = 0) {
    const { edits } = await this.#run({ kind: 'edits', firstBytes: first.length, map }, [first, second], tenant);
    return edits!;
  }

  /** Rejects the pictures that wait or are worked on. Resolves once no child is left. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #run(task: DecodeTask, files: readonly Uint8Array[], tenant: number) {
    const { waitLimit, addWaitLimit } = this.#options;
    for (const file of files) this.#admit(file);
    const content = files.length === 1 ? files[0]! : Buffer.concat(files);
    if (files.length > 1) this.#refuseQuarantined(content, 'the same two have stopped two decoders');
    const adds = task.kind === 'keep' || (task.kind === 'describe' && task.side === 'reference');
    const limit = adds ? addWaitLimit : waitLimit;
    const { answer, body } = await this.#pool.run(tenant, limit, (place, waited) =>
      this.#answer(place, waited, task, content),
    );
    assertDone(answer);
    return { ...answer, body };
  }

  async #answer({ child }: ChildSlot<DecodeAnswer>, waited: number, task: DecodeTask, content: Uint8Array) {
    const { metrics, patience } = this.#options;
    metrics.observe('decodeWaitSeconds', waited / 1000);
    const timeLimit = this.#timeLimit(task);
    const run = () => child.run(task, content, timeLimit, Math.max(timeLimit, patience - waited));
    try {
      return await metrics.time('decodeSeconds', { work: task.kind }, run);
    } catch (cause) {
      const tooBusy = isFailure(cause, 'OVERLOADED');
      if (!tooBusy) this.#quarantine.strike(content);
      throw cause;
    }
  }

  /** Two pictures take twice as long as one, and so do two sizes of one. */
  #timeLimit(task: DecodeTask): number {
    const isTwice = task.kind === 'compare' || (task.kind === 'keep' && task.hashed);
    return isTwice ? 2 * this.#options.timeLimit : this.#options.timeLimit;
  }

  #admit(file: Uint8Array): void {
    if (file.length > LARGEST_FILE) throw tooLargeFile(file.length);
    this.#refuseQuarantined(file, 'the same file has stopped two decoders');
  }

  #refuseQuarantined(content: Uint8Array, detail: string): void {
    if (this.#quarantine.refuses(content)) throw fail('QUARANTINED_PICTURE', detail);
  }
}
