import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { AuditTrail } from './administration/audit-trail.ts';
import { Training } from './administration/training.ts';
import { Applications } from './applications/applications.ts';
import type { Caller } from './applications/applications.ts';
import type { Overview } from './applications/application.ts';
import { recordsNumber } from './applications/records.ts';
import { Overviews } from './applications/overviews.ts';
import { EmbeddedBackend } from './applications/embedded-backend.ts';
import { Profiles } from './applications/profiles.ts';
import { Keys } from './applications/key-changes.ts';
import { type ClusterAddress, clusterAddress, clusterFiles } from './cluster/address.ts';
import { ClusteredBackend } from './cluster/clustered-backend.ts';
import type { Config } from './config.ts';
import { Fetcher, fetchLimits } from './fetch/fetcher.ts';
import type { FetcherOptions } from './fetch/fetcher.ts';
import { consolePlugin } from './console/console.ts';
import { Metrics } from './metrics/metrics.ts';
import type { Reading } from './metrics/metrics.ts';
import { missingFrom } from './workers/confinement/measures.ts';
import { Decoder } from './decode/decoder.ts';
import { documentation } from './docs/plugin.ts';
import { startHttp } from './http/http.ts';
import type { Http, HttpOptions } from './http/http.ts';
import { limits } from './http/limits.ts';
import { OnnxRunner } from './onnx/onnx-runner.ts';
import { Reviews } from './review/reviews.ts';
import { Shards } from './shards/shards.ts';
import { ArchiveKind } from './sources/archive.ts';
import { BucketKind } from './sources/bucket.ts';
import { FilmsKind } from './sources/films.ts';
import { FolderKind } from './sources/folder.ts';
import { Sources } from './sources/sources.ts';
import { WebKind } from './sources/web.ts';
import { openApplicationStore } from './store/application-store.ts';
import { AuditFiles } from './store/audit-log.ts';
import { folderRecords } from './store/folder-records.ts';
import { exposedIn } from './store/folder.ts';
import { lockImageStore } from './store/image-store.ts';
import type { ImageStore } from './store/image-store.ts';
import { SavedIndexes } from './store/saved-index/saved-index.ts';
import type { SharedStore } from './store/store.ts';
import type { ApplicationStore } from './store/application-store.ts';
import { Failure } from './errors.ts';

export interface RunningServer {
  readonly modifyPort: number;
  readonly queryPort: number;
  /** Of the administrator made by this start, because there was none. Nothing else shows it. */
  readonly administratorKey?: string;
  /** Finishes the work in progress, then releases everything. */
  close(): Promise<void>;
}

/** Milliseconds for the work of an operation whose wait was the longest one allowed. */
const WORK_TIMEOUT = 5000;

interface Part {
  close(): void | Promise<void>;
}

/**
 * Log lines are JSON, written synchronously, so that none is lost when the process exits.
 * @param destination  receives each line; stderr by default
 */
export function createLog(level: Config['log_level'], destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination ?? pino.destination({ fd: 2, sync: true }));
}

export interface ServerOptions {
  /** Called when the index is no longer complete; by default the process exits, and the next start rebuilds it. */
  readonly lost?: (cause: Error) => void;
  /** The built console page; without it there is no console. */
  readonly consoleFolder?: string;
  /** Servers inside the network that pictures may be fetched from, see `FetcherOptions`. For tests. */
  readonly fetching?: FetcherOptions;
}

interface DataFolder {
  readonly images: ImageStore;
  readonly store: ApplicationStore;
  readonly saved: SavedIndexes;
}

/** Resolves when everything is loaded. */
export async function startServer(config: Config, log: Logger, options: ServerOptions = {}): Promise<RunningServer> {
  const service = new Service(config, log, options);
  try {
    return await service.start();
  } catch (cause) {
    await service.close();
    throw cause;
  }
}

/**
 * Creates its parts in order, and passes each on. The ports answer before the data folder is checked and its pictures
 * are loaded; requests for these are refused until then.
 */
class Service {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #options: ServerOptions;
  readonly #lost: (cause: Error) => void;
  readonly #metrics = new Metrics();
  /** In milliseconds. */
  readonly #waitLimits: { readonly add: number; readonly search: number };
  readonly #answerTimeout: number;
  /** The last one first. */
  readonly #parts: Part[] = [];

  constructor(config: Config, log: Logger, options: ServerOptions) {
    this.#config = config;
    this.#log = log;
    this.#options = options;
    this.#lost = options.lost ?? endProcess;
    this.#waitLimits = { add: 1000 * config.add_wait, search: 1000 * config.search_wait };
    this.#answerTimeout = Math.max(this.#waitLimits.add, this.#waitLimits.search) + WORK_TIMEOUT;
  }

  async start(): Promise<RunningServer> {
    const [config, log, metrics] = [this.#config, this.#log, this.#metrics];
    const started = performance.now();
    metrics.sampleProcess();
    const clustered = config.cluster === undefined ? undefined : clusterAddress(config.cluster, clusterFiles(config));
    const folder = clustered ? undefined : await this.#openDataFolder();
    const decoder = await this.#startDecoder();
    const onnx = this.#keep(new OnnxRunner({ user: config.child_user, waitLimit: this.#waitLimits.search }));
    const { backend, store, auditLog, profiles, reviewed, outage } = clustered
      ? await this.#openCluster(clustered)
      : this.#openIndexed(folder!);
    const fetcher = new Fetcher(config.fetch_hosts, this.#options.fetching);
    const applicationOf = (records: number) => applications.all().find((each) => recordsNumber(each) === records);
    const isEnabled = (records: number): boolean => applicationOf(records)?.isServed ?? false;
    const caller = (digest: string): Caller | undefined => {
      const found = applications.caller(digest);
      if (found) applications.uses.note(digest);
      return found;
    };
    const parts = { ...reviewed, fetcher, metrics, applicationOf, isEnabled, caller };
    const reviews = new Reviews(parts, (cause) => log.error(cause, 'a part of the review failed'));
    const applications = new Applications(
      backend,
      {
        decoder,
        onnx,
        profiles,
        apart: (...of) => reviews.apartFrom(...of),
        ignoring: (...of) => reviews.ignoreLists.look(...of),
        count: (...of) => reviews.matchCounts.note(...of),
        add: (...of) => reviews.events.add(...of),
        hashes: (application) => reviews.events.hasHashes(application),
        forget: (application) => reviews.forget(application),
        origins: (...of) => sources.originsOf(...of),
        files: () => sources,
      },
      (cause) => log.error(cause, 'could not purge a deleted application'),
    );
    const sources = new Sources({
      records: reviewed.records,
      applications: () => applications.all(),
      kinds: {
        folder: new FolderKind(config.source_folders),
        bucket: new BucketKind(config.source_buckets),
        web: new WebKind(fetcher),
        archive: new ArchiveKind(config.source_folders),
        films: new FilmsKind(config.source_folders, config.child_user),
      },
      parallel: config.decode_workers,
      failed: (cause) => log.error(cause, 'a pass of a source ended'),
    });
    this.#keep(reviews);
    this.#keep(applications);
    this.#keep(sources);
    const audit = new AuditTrail(auditLog, (cause) => log.error(cause, 'could not write the audit log'));
    this.#keep(audit);
    const training = this.#keep(new Training(store, decoder));
    const overviews = this.#keep(new Overviews(applications));
    sampleApplications(metrics, clustered ? async () => overviews.latest : () => applications.overview());

    const administered = { store, applications, audit, training, sources, events: reviews.events };
    const { modifyPort, queryPort } = await this.#listen(applications, { outage, administered, reviews, fetcher });
    await folder?.images.open(folder.saved.any);
    await applications.load(loadingLog(log));
    if (clustered) void overviews.run();
    const watching = reviews.events.load(applications.all());
    if (!clustered) await watching; // else the first addition to an application waits for its saved searches
    await sources.start();
    await reviews.resume(() => applications.all()); // may move files of sources
    await reviews.webhooks.start(() => applications.all());
    // in a cluster nothing is loaded, and an index that is missing is no reason not to start
    if (!clustered) for (const application of await applications.overview()) log.info(application, 'loaded');
    const ms = Math.round(performance.now() - started);
    const at = clustered ? { cluster: clustered.hosts.map(({ host }) => host) } : { data: config.data };
    log.info({ host: config.host, modifyPort, queryPort, ...at, ms, rss: process.memoryUsage().rss }, 'ready');
    folder?.images.check().catch((cause: unknown) => log.error(cause, 'could not check images.db'));
    const administratorKey = await firstAdministrator(store, log);
    const close = () => this.close();
    return { modifyPort, queryPort, close, ...(administratorKey !== undefined && { administratorKey }) };
  }

  async close(): Promise<void> {
    for (const part of this.#parts.splice(0)) await part.close();
  }

  #keep<P extends Part>(part: P): P {
    this.#parts.unshift(part);
    return part;
  }

  async #openDataFolder(): Promise<DataFolder> {
    const { data } = this.#config;
    const onDamage = (damage: object): void => {
      this.#metrics.count('damages');
      this.#log.error(damage, 'damaged');
    };
    const images = this.#keep(await lockImageStore(data, onDamage, this.#metrics));
    const store = this.#keep(openApplicationStore(data, onDamage));
    for (const what of exposedIn(data)) this.#log.warn({ what, expected: '0700, and 0600 for files' }, 'exposed');
    return { images, store, saved: new SavedIndexes(data) };
  }

  async #startDecoder(): Promise<Decoder> {
    const { decode_workers: children, child_user: user } = this.#config;
    const decoder = this.#keep(
      await Decoder.start({
        children,
        waitLimit: this.#waitLimits.search,
        addWaitLimit: this.#waitLimits.add,
        patience: this.#answerTimeout - 1000,
        user,
        metrics: this.#metrics,
        report: (event) => this.#log.warn(event),
      }),
    );
    const missing = missingFrom(decoder.confinement);
    if (missing.length > 0) this.#log.warn({ missing }, 'child processes are not fully confined');
    return decoder;
  }

  #startShards(threads: number): Shards {
    return new Shards(threads, this.#lost, { metrics: this.#metrics, waitLimit: this.#waitLimits.search });
  }

  #openIndexed({ images, store, saved }: DataFolder) {
    const { data, search_workers: threads, save_index_after: after } = this.#config;
    const shards = this.#keep(this.#startShards(threads));
    const backend = new EmbeddedBackend(store, {
      images,
      shards,
      saving: { indexes: saved, after, damaged: this.#lost, warn: (event) => this.#log.warn(event, 'saved index') },
    });
    const reviewed = { records: folderRecords(images), shards: () => shards };
    const [auditLog, profiles] = [new AuditFiles(data), new Profiles(store, data)];
    return { backend, store, auditLog, profiles, reviewed, outage: () => undefined };
  }

  async #openCluster(address: ClusterAddress) {
    const warn = (what: string): void => this.#log.warn({ what }, 'cluster');
    const { search_workers: threads, cluster_search: search } = this.#config;
    const options = { threads, metrics: this.#metrics, warn, search };
    const backend = this.#keep(await ClusteredBackend.start(address, options));
    let shards: Shards | undefined; // for ignored pictures and saved searches alone
    this.#keep({ close: async () => shards?.close() });
    const reviewed = { records: backend.records, shards: () => (shards ??= this.#startShards(1)) };
    const { store, audit: auditLog, profiles } = backend;
    return { backend, store, auditLog, profiles, reviewed, outage: () => backend.outage };
  }

  async #listen(
    applications: Applications,
    parts: Pick<HttpOptions, 'outage' | 'administered' | 'reviews' | 'fetcher'>,
  ): Promise<Http> {
    const { host, modify_port: modifyPort, query_port: queryPort, stop_grace: stopGrace } = this.#config;
    const { consoleFolder } = this.#options;
    const answerTimeout = this.#answerTimeout;
    return this.#keep(
      await startHttp(applications, {
        ...parts,
        host,
        modifyPort,
        queryPort,
        log: this.#log,
        metrics: this.#metrics,
        metricsOn: this.#config.metrics,
        loading: () => applications.loading,
        // a socket that waits for an answer is silent
        limits: {
          stopGrace,
          answerTimeout,
          connectionTimeout: Math.max(limits.connectionTimeout, answerTimeout + fetchLimits.total + 5000),
        },
        origins: this.#config.cors_origins,
        plugins: [documentation(), ...(consoleFolder === undefined ? [] : [consolePlugin(consoleFolder)])],
      }),
    );
  }
}

/**
 * Closes the server at the first SIGTERM or SIGINT and exits at the second. An uncaught fault exits too: the memory can
 * no longer be trusted, and acknowledged data is on disk.
 * @returns resolves when the server has closed
 */
export function stopOnSignals(server: RunningServer, log: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const stop = (signal: string): void => {
      if (stopping) process.exit(1);
      stopping = true;
      log.info({ signal }, 'stopping');
      server.close().then(resolve, reject);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
    process.on('uncaughtException', (cause) => {
      log.fatal(cause, 'ending');
      process.exit(1);
    });
  });
}

/** The key of the first administrator where there is none, made by this call. */
async function firstAdministrator(store: SharedStore, log: Logger): Promise<string | undefined> {
  if (store.administrators().length > 0) return undefined;
  try {
    return (await new Keys(store, null).create({ name: 'first' })).secret;
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    if (cause.error === 'KEY_NAME_TAKEN') return undefined; // another node was faster
    if (!cause.error.startsWith('STORE_')) throw cause;
    log.error(cause, 'could not make the key of an administrator'); // all else is served
    return undefined;
  }
}

/** Outside of the request that met it, which would only fail. */
function endProcess(cause: Error): void {
  process.nextTick(() => {
    throw cause;
  });
}

/** What each application adds to a gauge. */
const gaugesOfApplications = {
  applications: () => 1,
  pictures: ({ count }: Overview) => count ?? 0,
  damagedPictures: ({ damaged }: Overview) => damaged,
  indexBytes: ({ indexBytes }: Overview) => indexBytes,
};

/** By type only, since names of applications are confidential. */
function sampleApplications(metrics: Metrics, overview: () => Promise<readonly Overview[]>): void {
  for (const [name, pick] of Object.entries(gaugesOfApplications)) {
    metrics.sample(name as keyof typeof gaugesOfApplications, async (): Promise<Reading> => {
      const sums = new Map<string, number>();
      for (const each of await overview()) sums.set(each.type, (sums.get(each.type) ?? 0) + pick(each));
      return Array.from(sums, ([type, sum]) => [sum, { type }]);
    });
  }
}

/** A line now and then, which shows the progress of a long start. */
function loadingLog(log: Logger): (application: string, loaded: number) => void {
  let last = performance.now();
  return (application, loaded) => {
    if (performance.now() - last < 2000) return;
    last = performance.now();
    log.info({ application, loaded }, 'loading');
  };
}
