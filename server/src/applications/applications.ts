import type { ApplicationRecord, StoredKey } from '../store/store.ts';
import { Application, type Dependencies, type Overview } from './application.ts';
import type { HeldReferences, Backend } from './backend.ts';
import { digestOf } from './keys.ts';
import { KeyUses } from './key-uses.ts';
import type { Loading } from './references.ts';

/** The key of a request; without an application it is an administrator's. */
export interface Caller {
  readonly key: StoredKey;
  readonly application?: Application;
  /** Whether the key is an administrator's, who acts on the application. */
  readonly administrator?: boolean;
  /** Whether the request is of a session of the console. */
  readonly inConsole?: boolean;
}

interface Loaded {
  readonly application: Application;
  readonly references: HeldReferences;
}

/** The applications of a running server. Changes made by any process count from the next call on. */
export class Applications {
  readonly #backend: Backend;
  readonly #dependencies: Dependencies;
  readonly #failed: (cause: unknown) => void;
  readonly #loaded = new Map<number, Loaded>();
  /** When each key was used last. */
  readonly uses: KeyUses;
  #byDigest = new Map<string, Caller>();
  #revision = NaN;
  /** Whether `load` was called: applications that appear later have no pictures. */
  #begun = false;
  #closed = false;

  /**
   * Knows every application; `load` brings their pictures.
   * @param backend  its pictures need not be readable before `load`
   * @param failed  called when a deleted application could not be purged; the next start tries again
   */
  constructor(backend: Backend, dependencies: Dependencies, failed: (cause: unknown) => void) {
    this.#backend = backend;
    this.#dependencies = dependencies;
    this.#failed = (cause) => {
      if (!this.#closed) failed(cause);
    };
    this.uses = new KeyUses(backend.applications, failed);
    this.#refresh();
  }

  /**
   * Loads the pictures of all applications, then purges deleted applications in the background.
   * @param progress  called now and then with the number of pictures of an application that are loaded
   */
  async load(progress: (application: string, loaded: number) => void): Promise<void> {
    this.#refresh();
    const stored = this.#all();
    this.#begun = true;
    await Promise.all(stored.map(async ({ references }) => references.expect?.()));
    for (const { application, references } of stored) {
      const { record, name } = application;
      try {
        await references.load?.(record, (loaded) => progress(name, loaded));
      } catch (cause) {
        if (this.#loaded.has(record.number)) throw cause; // otherwise it was deleted meanwhile
      }
    }
    void this.#purgeDeleted();
  }

  /**
   * Saves what the next start reads; to be called before the stores are closed, when no request is under way. Pictures that are not
   * purged yet remain for the next start.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.uses.save();
    await Promise.all(this.#all().map(async ({ references }) => references.close?.()));
  }

  /** Undefined once all applications are loaded. */
  get loading(): Loading | undefined {
    const all = this.#all().flatMap(({ references }) => references.loading ?? []);
    if (all.length === 0) return undefined;
    const total = (pick: (loading: Loading) => number): number => all.reduce((sum, each) => sum + pick(each), 0);
    return { loaded: total(({ loaded }) => loaded), pictures: total(({ pictures }) => pictures) };
  }

  /** The application of a key; undefined for a key that is missing, unknown, disabled or expired. */
  find(key: string): Application | undefined {
    const caller = this.caller(digestOf(key));
    return caller && !isOver(caller.key) ? caller.application : undefined;
  }

  /** As `caller`, for a request with this key, which counts as a use of it. */
  recognize(key: string): Caller | undefined {
    const digest = digestOf(key);
    const caller = this.caller(digest);
    if (caller) this.uses.note(digest);
    return caller;
  }

  /** The key with this digest, expired or not; undefined for one that is unknown, or of an application that is disabled or incomplete. */
  caller(keyDigest: string): Caller | undefined {
    this.#refresh();
    const caller = this.#byDigest.get(keyDigest);
    const record = caller?.application?.record;
    return record?.enabled === false || record?.state === 'incoming' ? undefined : caller;
  }

  withNumber(number: number): Application | undefined {
    this.#refresh();
    return this.#loaded.get(number)?.application;
  }

  /** By number. */
  all(): Application[] {
    this.#refresh();
    return this.#all().map(({ application }) => application);
  }

  overview(): Promise<Overview[]> {
    this.#refresh();
    return Promise.all(this.#all().map(({ application }) => application.overview()));
  }

  #all(): Loaded[] {
    return [...this.#loaded.values()];
  }

  /** Where this fails, the pictures stay unseen, and the next start tries again. */
  async #purgeDeleted(): Promise<void> {
    for (const number of this.#backend.applications.deleted()) await this.#backend.purge(number).catch(this.#failed);
  }

  /** Brings in what any process has changed since the last call. */
  #refresh(): void {
    const now = this.#backend.applications.revision();
    if (now === this.#revision) return;
    const records = this.#backend.applications.list();
    this.#revision = now;

    const listed = new Set(records.map(({ number }) => number));
    const emptied = new Set(records.map(({ origin }) => origin));
    for (const [number, loaded] of this.#loaded) {
      if (listed.has(number)) continue;
      const { origin = number } = loaded.application.record;
      this.#unload(loaded, !emptied.has(origin)).catch(this.#failed);
    }
    for (const record of records) this.#load(record);
    this.#byDigest = new Map(this.#backend.applications.administrators().map((key) => [key.digest, { key }]));
    for (const { application } of this.#all()) {
      for (const key of application.record.keys) this.#byDigest.set(key.digest, { key, application });
    }
  }

  #load(record: ApplicationRecord): void {
    const known = this.#loaded.get(record.number);
    if (known) {
      known.application.record = record;
      return;
    }
    const references = this.#backend.open(record, !this.#begun);
    const application = new Application(record, references, this.#dependencies);
    this.#loaded.set(record.number, { application, references });
  }

  /** @param forever  false for one that was emptied: its pictures alone end */
  async #unload({ application, references }: Loaded, forever: boolean): Promise<void> {
    const { number } = application.record;
    this.#loaded.delete(number);
    await references.drop?.();
    if (forever) await this.#dependencies.forget?.(application);
    // an application with a damaged row is in neither list, and its pictures must stay
    if (this.#backend.applications.deleted().includes(number)) await this.#backend.purge(number);
  }
}

/** Whether a key has expired. */
export function isOver({ expires }: StoredKey, now = Date.now()): boolean {
  return expires !== undefined && Date.parse(expires) <= now;
}
