import { setImmediate as pause } from 'node:timers/promises';
import type { Shards } from '../shards/shards.ts';
import type { SavedIndexes } from '../store/saved-index/saved-index.ts';
import type { ImageStore } from '../store/image-store.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Catalogue } from './catalogue/catalogue.ts';

/** Of the pictures of an application: with fewer changes, what is written anew of a large index would be too much for them. */
const MIN_CHANGED_SHARE = 1 / 500;
/** Changes that a start replays faster than the index is written. */
const MIN_CHANGES = 1000;
/** Milliseconds without a change after which more than `MIN_CHANGES` are saved. */
const QUIET_MS = 60_000;

/** How the indexes of a service are saved. */
export interface SavingOptions {
  readonly indexes: SavedIndexes;
  /** Changes of an application after which its index is saved; 0 for never. */
  readonly after: number;
  /** Called when a file that the service reads while it runs is damaged: the index is no longer complete. */
  readonly damaged: (cause: Error) => void;
  readonly warn: (event: { readonly application: number; readonly what: string }) => void;
}

interface Parts {
  readonly images: ImageStore;
  readonly shards: Shards;
}

type Saved = Pick<ApplicationRecord, 'number' | 'type' | 'network'>;

/** Saves the index of an application now and then, beside its other work. A failure is reported, and a later change tries again. */
export class Saving {
  readonly #record: Saved;
  readonly #parts: Parts;
  readonly #options: SavingOptions;
  readonly #catalogue: () => Catalogue;
  #changes = 0;
  #running: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  /** Set for a type without saved pictures, and once the application is dropped. */
  #over = false;

  constructor(record: Saved, parts: Parts, options: SavingOptions, catalogue: () => Catalogue) {
    this.#record = record;
    this.#parts = parts;
    this.#options = options;
    this.#catalogue = catalogue;
    if (options.after === 0) this.#over = true;
  }

  /** Notes changes that are not in a file. */
  changed(count = 1): void {
    if (this.#over) return;
    this.#changes += count;
    const { after } = this.#options;
    if (this.#changes >= Math.max(after, MIN_CHANGED_SHARE * this.#catalogue().size)) void this.#save();
    else if (this.#changes >= Math.min(after, MIN_CHANGES)) {
      this.#quiet ??= setTimeout(() => this.#settled(), QUIET_MS).unref();
      this.#quiet.refresh();
    }
  }

  /** Saves what is worth it, before the end of the service. */
  async close(): Promise<void> {
    await this.#running;
    if (!this.#over && this.#changes >= Math.min(this.#options.after, MIN_CHANGES)) await this.#save();
    this.#end();
  }

  /** Removes the files of a deleted application. */
  async drop(): Promise<void> {
    this.#end();
    await this.#running;
    await this.#options.indexes.remove(this.#record.number);
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#quiet);
  }

  #settled(): void {
    if (!this.#over) void this.#save();
  }

  #save(): Promise<void> {
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
    this.#running ??= this.#options.indexes.alone(() => this.#write()).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #write(): Promise<void> {
    const { number, type, network } = this.#record;
    const { images, shards } = this.#parts;
    const { indexes, warn } = this.#options;
    const changes = this.#changes;
    try {
      const identity = await images.identity();
      if (!identity || this.#over) return;
      const written = await indexes.write(
        number,
        { type, network, identity },
        {
          partitions: (pathOf) => shards.save(number, pathOf),
          catalogue: () => this.#catalogue().save(),
          pause,
        },
      );
      if (written) await shards.saved(number);
      else this.#end();
      this.#changes -= changes;
    } catch (cause) {
      if (this.#over) return;
      this.#changes = 0; // the next attempt is after as many changes again
      warn({ application: number, what: `its index could not be saved: ${(cause as Error).message}` });
    }
  }
}
