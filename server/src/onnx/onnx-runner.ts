import { VECTOR_LENGTHS, type Picture } from '@sosia/engine';
import { assertDone } from '../workers/answer.ts';
import { ChildPool, poolDefaults, type PoolOptions } from '../workers/child-pool.ts';
import type { ChildKind, ConfinedChild } from '../workers/confined-child.ts';
import type { Body } from '../workers/frames.ts';
import type { ChildSlot } from '../workers/supervisor.ts';
import { checkedOnnxAnswer, type AboutNetwork, type OnnxAnswer, type OnnxResult, type OnnxTask } from './protocol.ts';

export interface OnnxOptions extends Pick<PoolOptions, 'waiting' | 'user'> {
  /** Longest wait of a picture, in milliseconds; then OVERLOADED. */
  readonly waitLimit: number;
  /** Milliseconds for a network to be read and run once. */
  readonly loadLimit: number;
  /** Milliseconds for a picture. */
  readonly scoreLimit: number;
  /** Most bytes of networks in the child; beyond, it is replaced by one that has the wanted network alone. */
  readonly mostHeld: number;
}

const usual: OnnxOptions = {
  loadLimit: 30_000,
  scoreLimit: 2800,
  waitLimit: 5000, // the first picture waits until the network is read
  waiting: poolDefaults.waiting,
  mostHeld: 128_000_000,
  user: poolDefaults.user,
};

const onnxChild: ChildKind<OnnxAnswer> = {
  name: 'ONNX child',
  script: new URL('./onnx.child.js', import.meta.url),
  memory: 1200 * 2 ** 20,
  largestAnswer: VECTOR_LENGTHS.most,
  check: checkedOnnxAnswer,
  failures: { late: 'NETWORK_FAILED', crashed: 'NETWORK_FAILED' },
};

/** A stored network. */
export interface Source {
  readonly name: string;
  /** Differs between networks, and changes with the network. */
  readonly mark: string;
  readonly bytes: number;
  /** Its block, unchecked, in pieces. Fails with UNKNOWN_PROFILE before the first one. */
  readonly read: () => Promise<AsyncIterable<Uint8Array>>;
}

type Child = ConfinedChild<OnnxAnswer>;

/**
 * Runs networks in a child process that starts with the first of them: one picture at a time, applications round robin. A
 * network that takes too long or too much memory ends the child and nothing else.
 */
export class OnnxRunner {
  readonly #options: OnnxOptions;
  readonly #pool: ChildPool<OnnxAnswer>;
  /** The bytes of the networks in a child, by mark. */
  readonly #held = new WeakMap<Child, Map<string, number>>();
  #trials = 0;

  constructor(options: Partial<OnnxOptions> = {}) {
    this.#options = { ...usual, ...options };
    this.#pool = new ChildPool(onnxChild, {
      ...poolDefaults,
      ...this.#options,
      children: 1,
      onDemand: true,
      resource: { name: 'a network', awaited: 'a free network' },
    });
  }

  /** Process id of the child, where there is one. */
  get pid(): number | undefined {
    return this.#pool.pids[0];
  }

  /**
   * How well a picture fits, in [-1, 1]. Fails with NETWORK_FAILED, NO_NETWORK_RUNTIME, BAD_PROFILE or OVERLOADED.
   */
  async score(source: Source, picture: Picture, tenant = 0): Promise<number> {
    const { answer } = await this.#runOn(source, 'score', picture, tenant);
    return answer.score!;
  }

  /** The vector of a picture, as `signedBytes`. Fails as `score` does. */
  async embed(source: Source, picture: Picture, tenant = 0): Promise<Int8Array> {
    const { body } = await this.#runOn(source, 'embed', picture, tenant);
    return Int8Array.from(body, (byte) => (byte << 24) >> 24);
  }

  #runOn(
    { mark, bytes, read }: Source,
    kind: 'score' | 'embed',
    { width, height, rgb }: Picture,
    tenant: number,
  ): Promise<{ answer: OnnxResult; body: Uint8Array }> {
    return this.#pool.run(tenant, this.#options.waitLimit, async (slot) => {
      if (!this.#heldBy(slot.child).has(mark)) await this.#load(slot, mark, { length: bytes, pieces: await read() });
      return this.#run(slot.child, { kind, mark, size: { width, height } }, rgb, this.#options.scoreLimit);
    });
  }

  /** Runs a network on a generated picture, to check that it works. Fails as `score` does. */
  trial(block: Uint8Array): Promise<AboutNetwork> {
    const load = (slot: ChildSlot<OnnxAnswer>) => this.#load(slot, `trial ${++this.#trials}`, block);
    return this.#pool.run(0, this.#options.waitLimit, load);
  }

  /** Rejects the pictures that wait or are worked on. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #heldBy(child: Child): Map<string, number> {
    const held = this.#held.get(child) ?? new Map<string, number>();
    this.#held.set(child, held);
    return held;
  }

  async #load(slot: ChildSlot<OnnxAnswer>, mark: string, block: Body): Promise<AboutNetwork> {
    const held = [...this.#heldBy(slot.child).values()].reduce((a, b) => a + b, 0);
    if (held > 0 && held + block.length > this.#options.mostHeld) await this.#pool.renew(slot);
    const { answer } = await this.#run(slot.child, { kind: 'load', mark }, block, this.#options.loadLimit);
    this.#heldBy(slot.child).set(mark, block.length);
    return answer.about!;
  }

  async #run(child: Child, task: OnnxTask, body: Body, timeLimit: number) {
    const { answer, body: result } = await child.run(task, body, timeLimit);
    assertDone(answer);
    return { answer, body: result };
  }
}
