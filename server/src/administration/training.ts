import { createHash } from 'node:crypto';
import { MIN_PICTURES_PER_CLASS, isProfileName, profileNameRule, type train } from '@sosia/engine';
import type { Decoder } from '../decode/decoder.ts';
import { fail } from '../errors.ts';
import type { SharedStore } from '../store/store.ts';
import { Thread } from '../workers/thread.ts';

/** Examples of a profile: the time of a training grows with their third power. */
const MOST_EXAMPLES = 600;
/** Names whose examples are collected at a time. */
const MOST_NAMES = 4;

interface Example {
  readonly fits: boolean;
  readonly embedding: Uint8Array;
  /** A small JPEG. */
  readonly thumbnail: Uint8Array;
}

/** Examples on the way to a profile. */
export interface Collection {
  readonly state: 'collecting' | 'training' | 'failed';
  readonly positives: number;
  readonly negatives: number;
  readonly fault: string;
}

interface Collected {
  state: Collection['state'];
  fault: string;
  /** By digest of the file, so that a second copy counts once. */
  readonly examples: Map<string, Example>;
}

/** Collects examples of profiles in memory, and trains profiles in a thread of their own. */
export class Training {
  readonly #store: SharedStore;
  readonly #decoder: Pick<Decoder, 'keep' | 'decode'>;
  readonly #collected = new Map<string, Collected>();
  readonly #threads = new Set<Thread<{ train: typeof train }>>();

  constructor(store: SharedStore, decoder: Pick<Decoder, 'keep' | 'decode'>) {
    this.#store = store;
    this.#decoder = decoder;
  }

  names(): string[] {
    return [...this.#collected.keys()];
  }

  find(name: string): Collection | undefined {
    const collected = this.#collected.get(name);
    if (!collected) return undefined;
    const { state, fault, examples } = collected;
    const positives = [...examples.values()].filter(({ fits }) => fits).length;
    return { state, fault, positives, negatives: examples.size - positives };
  }

  /** The last class of a file counts. Fails with PROFILE_EXISTS, BAD_EXAMPLES and with those of a picture. */
  async add(name: string, fits: boolean, content: Uint8Array): Promise<void> {
    if (!isProfileName(name)) throw fail('BAD_PARAMETER', `profile: expected ${profileNameRule}`);
    await this.#requireFree(name);
    const { dna, thumbnail } = await this.#decoder.keep(content, 'filter');
    const collected = this.#collected.get(name) ?? { state: 'collecting', fault: '', examples: new Map() };
    if (!this.#collected.has(name) && this.#collected.size >= MOST_NAMES) {
      throw fail('BAD_EXAMPLES', `those of ${this.names().join(', ')} are collected already; train or delete one`);
    }
    if (collected.state === 'training') throw fail('BAD_EXAMPLES', `${name} is being trained`);
    const digest = createHash('sha256').update(content).digest('base64');
    if (!collected.examples.has(digest) && collected.examples.size >= MOST_EXAMPLES) {
      throw fail('BAD_EXAMPLES', `${name} has ${MOST_EXAMPLES}, which is the most`);
    }
    collected.examples.set(digest, { fits, embedding: dna, thumbnail });
    this.#collected.set(name, { ...collected, state: 'collecting', fault: '' });
  }

  /** Begins. Fails with PROFILE_EXISTS, UNKNOWN_PROFILE, BAD_EXAMPLES. */
  async start(name: string): Promise<void> {
    await this.#requireFree(name);
    const collected = this.#collected.get(name);
    if (!collected) throw fail('UNKNOWN_PROFILE', `${name} has no examples`);
    const found = this.find(name)!;
    if (found.state === 'training') throw fail('BAD_EXAMPLES', `${name} is being trained`);
    if (Math.min(found.positives, found.negatives) < MIN_PICTURES_PER_CLASS) {
      const got = `got ${found.positives} and ${found.negatives}`;
      throw fail(
        'BAD_EXAMPLES',
        `expected at least ${MIN_PICTURES_PER_CLASS} that fit and ${MIN_PICTURES_PER_CLASS} that do not, ${got}`,
      );
    }
    collected.state = 'training';
    void this.#train(name, collected).catch((cause: unknown) => {
      collected.state = 'failed';
      collected.fault = (cause as Error).message;
    });
  }

  /** @returns whether there were examples of this name */
  forget(name: string): boolean {
    return this.#collected.delete(name);
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) await thread.terminate();
  }

  async #train(name: string, collected: Collected): Promise<void> {
    const examples = [...collected.examples.values()].sort((a, b) => Number(b.fits) - Number(a.fits));
    const of = (fits: boolean) => examples.filter((each) => each.fits === fits).map(({ embedding }) => embedding);
    const thread = new Thread<{ train: typeof train }>(new URL('./training.thread.js', import.meta.url));
    this.#threads.add(thread);
    try {
      const { profile, report } = await thread.remote.train(name, of(true), of(false));
      const { sheetOfMistakes } = await import('../decode/contact-sheet.ts'); // loads libvips
      const sheet = await sheetOfMistakes(this.#decoder, report.mistakes, (picture) => examples[picture]!.thumbnail);
      if (this.#collected.get(name)?.examples !== collected.examples) return; // deleted meanwhile
      await this.#store.profiles.add({ profile, report, mistakes: sheet });
      this.#collected.delete(name);
    } finally {
      this.#threads.delete(thread);
      await thread.terminate();
    }
  }

  async #requireFree(name: string): Promise<void> {
    if ((await this.#store.profiles.names()).some((known) => known.name === name)) throw fail('PROFILE_EXISTS', name);
  }
}
