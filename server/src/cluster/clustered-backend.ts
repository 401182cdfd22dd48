import { setTimeout as pause } from 'node:timers/promises';
import { shippedProfiles, typeDefinitions, type Profile } from '@sosia/engine';
import type { HeldReferences, Backend } from '../applications/backend.ts';
import type { ProfileSource } from '../applications/profiles.ts';
import type { Failure } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Source } from '../onnx/onnx-runner.ts';
import { Shards } from '../shards/shards.ts';
import type { AuditLog } from '../store/audit-log.ts';
import type { ApplicationRecord } from '../store/store.ts';
import { type ClusterAddress, unencryptedPassword } from './address.ts';
import { ClusterApplicationStore } from './application-store.ts';
import { ClusterAudit } from './audit.ts';
import { ClusteredReferences } from './clustered-references.ts';
import { Connection } from './connection.ts';
import { Counts } from './counts.ts';
import { Directory } from './directory.ts';
import { setUpCluster } from './set-up.ts';
import { Matchers } from './matchers.ts';
import { Mending } from './mending.ts';
import { Pictures } from './pictures.ts';
import { CausedPictures } from './caused-pictures.ts';
import { ClusterEvents } from './events.ts';
import { ResidentPictures } from './resident-pictures.ts';
import { type ClusterSearch, SearchSetting } from './search-setting.ts';
import { Transfer } from './transfer.ts';
import { Upkeep } from './upkeep.ts';
import { Watch } from './watch.ts';
import { looks } from '../workers/looks.ts';

/** Milliseconds between two looks at the directory: a change counts everywhere within two seconds. */
const LOOK = 700;

/** Milliseconds between two sweeps, see `Upkeep`. */
const SWEEP = 900_000;

interface Options {
  /** Threads that compare pictures. */
  readonly threads: number;
  readonly metrics: Metrics;
  /** What finds pictures that share features: the cluster by terms, unless given, or lists in this process. */
  readonly search?: ClusterSearch;
  /** Receives what an operator should know. */
  readonly warn: (what: string) => void;
}

/** Applications and pictures in a cluster. This process keeps a copy of the directory, and nothing else. */
export class ClusteredBackend implements Backend {
  readonly store: ClusterApplicationStore;
  readonly profiles: ProfileSource;
  /** The records of all nodes. */
  readonly records: ClusterEvents;
  readonly #connection: Connection;
  readonly #directory: Directory;
  readonly #matchers: Matchers;
  readonly #options: Options;
  readonly #mending: Mending;
  readonly #upkeep: Upkeep;
  readonly #counts: Counts;
  readonly #watch: Watch;
  readonly #closed = new AbortController();
  readonly #residents = new Map<number, ResidentPictures>();
  #shards: Shards | undefined;

  private constructor(connection: Connection, directory: Directory, options: Options) {
    this.store = new ClusterApplicationStore(connection, directory);
    this.profiles = new ClusterProfiles(this.store, directory);
    this.records = new ClusterEvents(connection, (number) => {
      const record = this.store.list().find((each) => each.number === number);
      return record && new CausedPictures(record, connection, this.#matchers);
    });
    this.#connection = connection;
    this.#directory = directory;
    this.#matchers = new Matchers(options.threads);
    this.#options = options;
    this.#mending = new Mending(connection);
    this.#counts = new Counts(connection);
    const applications = (): ApplicationRecord[] => this.store.list();
    this.#upkeep = new Upkeep({ connection, matchers: this.#matchers, applications, warn: options.warn });
    void this.#look();
    this.#watch = new Watch(connection, options.metrics);
    void this.#watch.run(this.#closed.signal);
    if (options.search) void new SearchSetting(connection, options.search, options).run(this.#closed.signal);
  }

  /** Fails as `setUpCluster` does. */
  static async start(address: ClusterAddress, options: Options): Promise<ClusteredBackend> {
    const plain = unencryptedPassword(address);
    if (plain !== undefined) options.warn(plain);
    const connection = new Connection(address, options.metrics);
    try {
      for (const warning of await setUpCluster(connection)) options.warn(warning);
      return new ClusteredBackend(connection, await Directory.open(connection), options);
    } catch (cause) {
      connection.close();
      throw cause;
    }
  }

  /** Why no request can be served at the moment, as the background knows it. */
  get outage(): Failure | undefined {
    return this.#watch.outage;
  }

  get applications(): ClusterApplicationStore {
    return this.store;
  }

  /** @param stored  whether pictures that this process compares itself are to be loaded */
  open(record: ApplicationRecord, stored = false): HeldReferences {
    const { metrics } = this.#options;
    const resident = this.#residentOf(record, stored);
    return new ClusteredReferences(record, {
      connection: this.#connection,
      matchers: this.#matchers,
      metrics,
      resident,
      isMoved: () => this.store.list().some(({ number, state }) => number === record.number && state === 'moved'),
      counts: this.#counts,
      added: () => this.#upkeep.added(record),
    });
  }

  /** The audit log of all nodes. */
  get audit(): AuditLog {
    return new ClusterAudit(this.#connection);
  }

  /** For commands that read or write all pictures of an application. */
  transfer(record: ApplicationRecord): Transfer {
    const added = (count: number): void => this.#upkeep.added(record, count);
    return new Transfer(record, { connection: this.#connection, matchers: this.#matchers, added });
  }

  purge(number: number): Promise<void> {
    return this.store.purge(number);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#upkeep.close();
    await Promise.all([this.#matchers.close(), this.#shards?.close()]);
    this.#connection.close();
  }

  #residentOf(record: ApplicationRecord, stored: boolean): ResidentPictures | undefined {
    const { exhaustive = false, terms } = typeDefinitions[record.type];
    if (!exhaustive && !(terms && this.#options.search === 'lists')) return undefined;
    const known = this.#residents.get(record.number);
    if (known) return known;
    const pictures = Pictures.of(this.#connection, record.number);
    const resident = new ResidentPictures(record, pictures, () => this.#ownShards(), stored);
    this.#residents.set(record.number, resident);
    return resident;
  }

  /** Begun with the first application that needs them, and anew after one has ended by itself. */
  #ownShards(): Shards {
    const { threads, metrics, warn } = this.#options;
    const lost = (cause: Error): void => {
      this.#shards = undefined;
      warn(`a search thread has ended, and its pictures are loaded again: ${cause.message}`);
    };
    return (this.#shards ??= new Shards(threads, lost, { metrics }));
  }

  /** Until the end. A fault is reported once, and the directory as last read counts until it passes. */
  async #look(): Promise<void> {
    const { signal } = this.#closed;
    let sweep = performance.now() + SWEEP * Math.random(); // not all services at once
    const look = async (): Promise<void> => {
      await this.#directory.refresh();
      if (performance.now() > sweep) {
        sweep += SWEEP;
        await this.#sweep();
      }
      await this.#mending.look(this.#watch.missingCopies);
      await this.#upkeep.endBroken();
    };
    const wait = () => pause(LOOK, undefined, { signal }).catch(() => {});
    await wait();
    await looks(look, wait, { signal, failed: (cause) => this.#options.warn((cause as Error).message) });
  }

  async #sweep(): Promise<void> {
    const records = this.store.list();
    for (const number of this.#residents.keys())
      if (!records.some((record) => record.number === number)) this.#residents.delete(number);
    for (const resident of this.#residents.values()) await resident.load();
    await this.#upkeep.sweep();
  }
}

/** The profiles of a cluster and those of the engine; the cluster's own take precedence. Trained ones are read once. */
class ClusterProfiles implements ProfileSource {
  readonly #store: ClusterApplicationStore;
  readonly #directory: Directory;
  readonly #trained = new Map<string, Profile>();

  constructor(store: ClusterApplicationStore, directory: Directory) {
    this.#store = store;
    this.#directory = directory;
  }

  async named(names: readonly string[]): Promise<(Profile | Source)[]> {
    const found = await Promise.all(names.map((name) => this.#named(name)));
    return found.filter((each) => each !== undefined);
  }

  async #named(name: string): Promise<Profile | Source | undefined> {
    const row = this.#directory.content.profiles.find((each) => each.name === name);
    if (!row) return shippedProfiles().find((profile) => profile.name === name);
    const { mark, bytes, block } = row;
    if (mark !== undefined) return { name, mark, bytes: bytes!, read: async () => this.#store.profiles.pieces(block) };
    const known = this.#trained.get(block);
    if (known) return known;
    const profile = (await this.#store.profiles.find(name))?.profile;
    if (!profile || !('weights' in profile)) return undefined;
    this.#trained.set(block, profile);
    return profile;
  }
}
