import type { Shards } from '../shards/shards.ts';
import type { ImageStore } from '../store/image-store.ts';
import type { ApplicationRecord, ApplicationStore } from '../store/store.ts';
import { Application } from './application.ts';
import type { Dependencies, Overview } from './application.ts';
import { EmbeddedReferences } from './embedded-references.ts';
import { digestOf } from './keys.ts';

interface Loaded {
  readonly application: Application;
  readonly references: EmbeddedReferences;
}

interface Parts extends Dependencies {
  readonly images: ImageStore;
  readonly shards: Shards;
}

/** The applications of a running server. Changes made by any process count from the next call on. */
export class Applications {
  readonly #store: ApplicationStore;
  readonly #parts: Parts;
  readonly #failed: (cause: unknown) => void;
  readonly #loaded = new Map<number, Loaded>();
  #byDigest = new Map<string, Application>();
  #revision = NaN;

  private constructor(store: ApplicationStore, parts: Parts, failed: (cause: unknown) => void) {
    this.#store = store;
    this.#parts = parts;
    this.#failed = failed;
  }

  /**
   * Loads every application with all its pictures; deleted ones are purged.
   * @param progress  called now and then with the number of pictures of an application that are loaded
   * @param failed    called when a deleted application could not be purged; the next start tries again
   */
  static async open(
    store: ApplicationStore,
    parts: Parts,
    progress: (application: string, loaded: number) => void,
    failed: (cause: unknown) => void,
  ): Promise<Applications> {
    const applications = new Applications(store, parts, failed);
    // where the purge fails, the pictures stay unseen, and the next start tries again
    for (const number of store.deleted()) await parts.images.purge(number).catch(failed);
    applications.#refresh();
    for (const { application, references } of applications.#loaded.values()) {
      for await (const records of parts.images.replay(
        application.record.number,
        application.type,
        application.record.network,
      )) {
        await references.load(records);
        progress(application.name, await references.count());
      }
      await references.loaded();
    }
    return applications;
  }

  /** The application of a key; undefined for a key that is missing, unknown or disabled. */
  find(key: string): Application | undefined {
    return this.withDigest(digestOf(key));
  }

  /** As `find`, by the digest of the key. */
  withDigest(keyDigest: string): Application | undefined {
    this.#refresh();
    const application = this.#byDigest.get(keyDigest);
    return application?.record.enabled ? application : undefined;
  }

  overview(): Promise<Overview[]> {
    this.#refresh();
    return Promise.all([...this.#loaded.values()].map(({ application }) => application.overview()));
  }

  /** Brings in what any process has changed since the last call. */
  #refresh(): void {
    const now = this.#store.revision();
    if (now === this.#revision) return;
    const records = this.#store.list();
    this.#revision = now;

    const listed = new Set(records.map(({ number }) => number));
    for (const [number, { references }] of this.#loaded) {
      if (!listed.has(number)) this.#unload(number, references).catch(this.#failed);
    }
    for (const record of records) this.#load(record);
    const all = [...this.#loaded.values()].map(({ application }) => application);
    this.#byDigest = new Map(all.map((application) => [application.record.keyDigest, application]));
  }

  #load(record: ApplicationRecord): void {
    const known = this.#loaded.get(record.number);
    if (known) {
      known.application.record = record;
      return;
    }
    const references = new EmbeddedReferences(record, this.#parts);
    const application = new Application(record, references, this.#parts);
    this.#loaded.set(record.number, { application, references });
  }

  async #unload(number: number, references: EmbeddedReferences): Promise<void> {
    this.#loaded.delete(number);
    await references.drop();
    // an application with a damaged row is in neither list, and its pictures must stay
    if (this.#store.deleted().includes(number)) await this.#parts.images.purge(number);
  }
}
