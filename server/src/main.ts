import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { AuditTrail } from './administration/audit-trail.ts';
import { Training } from './administration/training.ts';
import { Applications } from './applications/applications.ts';
import type { Overview } from './applications/application.ts';
import { Overviews } from './applications/overviews.ts';
import { embeddedHome } from './applications/embedded-references.ts';
import { Profiles } from './applications/profiles.ts';
import { Keys } from './applications/key-changes.ts';
import { type ClusterAddress, clusterAddress } from './cluster/address.ts';
import { ClusterHome } from './cluster/cluster-home.ts';
import type { Config } from './config.ts';
import { consolePlugin } from './console/console.ts';
import { Metrics } from './metrics/metrics.ts';
import type { Reading } from './metrics/metrics.ts';
import { missingFrom } from './workers/confinement/measures.ts';
import { Decoder } from './decode/decoder.ts';
import { documentation } from './docs/plugin.ts';
import { startHttp } from './http/http.ts';
import { limits } from './http/limits.ts';
import { OnnxRunner } from './onnx/onnx-runner.ts';
import { Reviews } from './review/reviews.ts';
import { Shards } from './shards/shards.ts';
import { openApplicationStore } from './store/application-store.ts';
import { AuditFiles } from './store/audit-log.ts';
import { FolderRecords } from './store/folder-records.ts';
import { exposedIn } from './store/folder.ts';
import { lockImageStore } from './store/image-store.ts';
import { SavedIndexes } from './store/saved-index/saved-index.ts';
import type { SharedStore } from './store/store.ts';
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
  /** The pages of docs/; without it only the generated ones are shown. */
  readonly docsFolder?: string;
}

/**
 * Creates the parts of the service in order, and passes each on. The ports answer before the data
 * folder is checked and its pictures are loaded; requests for these are refused until then. Resolves when everything is
 * loaded.
 */
export async function startServer(
  config: Config,
  log: Logger,
  { lost = endProcess, consoleFolder, docsFolder }: ServerOptions = {},
): Promise<RunningServer> {
  const parts: Part[] = [];
  const keep = <P extends Part>(part: P): P => {
    parts.unshift(part);
    return part;
  };
  async function close(): Promise<void> {
    for (const part of parts.splice(0)) await part.close();
  }

  const started = performance.now();
  const metrics = new Metrics();
  metrics.sampleProcess();
  const onDamage = (damage: object): void => {
    metrics.count('damages');
    log.error(damage, 'damaged');
  };
  try {
    const clustered = config.cluster === undefined ? undefined : clusterAddress(config.cluster, config.cluster_ca);
    const folder = clustered ? undefined : await openDataFolder();
    const report = (event: string): void => log.warn(event);
    const user = config.child_user;
    const [addWait, searchWait] = [1000 * config.add_wait, 1000 * config.search_wait];
    const answerTimeout = Math.max(addWait, searchWait) + WORK_TIMEOUT;
    const decoder = keep(
      await Decoder.start({
        children: config.decode_workers,
        waitLimit: searchWait,
        addWaitLimit: addWait,
        patience: answerTimeout - 1000,
        user,
        metrics,
        report,
      }),
    );
    const missing = missingFrom(decoder.confinement);
    if (missing.length > 0) log.warn({ missing }, 'child processes are not fully confined');
    const onnx = keep(new OnnxRunner({ user, waitLimit: searchWait }));
    const { home, store, auditLog, profiles, reviewed, outage } = clustered
      ? await openCluster(clustered)
      : indexed(folder!, searchWait);
    const reviews = new Reviews(reviewed, (cause) => log.error(cause, 'a part of the review ended'));
    const applications = new Applications(
      home,
      {
        decoder,
        onnx,
        profiles,
        apart: (...of) => reviews.apartFrom(...of),
        ignoring: (...of) => reviews.ignoreLists.look(...of),
        count: (...of) => reviews.matchCounts.note(...of),
        forget: (application) => reviews.forget(application),
      },
      (cause) => log.error(cause, 'could not purge a deleted application'),
    );
    keep(reviews);
    keep(applications);
    const audit = new AuditTrail(auditLog, (cause) => log.error(cause, 'could not write the audit log'));
    keep(audit);
    const training = keep(new Training(store, decoder));
    const overviews = new Overviews(applications);
    keep(overviews);
    sampleApplications(metrics, clustered ? async () => overviews.latest : () => applications.overview());

    const { host, modify_port, query_port, stop_grace: stopGrace } = config;
    const http = keep(
      await startHttp(applications, {
        host,
        modifyPort: modify_port,
        queryPort: query_port,
        log,
        metrics,
        metricsOn: config.metrics,
        loading: () => applications.loading,
        outage,
        // a socket that waits for an answer is silent
        limits: {
          stopGrace,
          answerTimeout,
          connectionTimeout: Math.max(limits.connectionTimeout, answerTimeout + 5000),
        },
        origins: config.cors_origins,
        administered: { store, applications, audit, training },
        reviews,
        plugins: [documentation(docsFolder), ...(consoleFolder === undefined ? [] : [consolePlugin(consoleFolder)])],
      }),
    );
    await folder?.images.open(folder.saved.any);
    await applications.load(loadingLog(log));
    if (clustered) void overviews.run();
    await reviews.resume(() => applications.all());
    for (const application of await applications.overview()) log.info(application, 'loaded');
    const { modifyPort, queryPort } = http;
    const ms = Math.round(performance.now() - started);
    const at = clustered ? { cluster: clustered.hosts.map(({ host }) => host) } : { data: config.data };
    log.info({ host, modifyPort, queryPort, ...at, ms, rss: process.memoryUsage().rss }, 'ready');
    folder?.images.check().catch((cause: unknown) => log.error(cause, 'could not check images.db'));
    const administratorKey = await firstAdministrator(store, log);
    return { modifyPort, queryPort, close, ...(administratorKey !== undefined && { administratorKey }) };
  } catch (cause) {
    await close();
    throw cause;
  }

  async function openDataFolder() {
    const images = keep(await lockImageStore(config.data, onDamage, metrics));
    const store = keep(openApplicationStore(config.data, onDamage));
    for (const what of exposedIn(config.data)) log.warn({ what, expected: '0700, and 0600 for files' }, 'exposed');
    return { images, store, saved: new SavedIndexes(config.data) };
  }

  function indexed({ images, store, saved }: Awaited<ReturnType<typeof openDataFolder>>, waitLimit: number) {
    const shards = keep(new Shards(config.search_workers, lost, { metrics, waitLimit }));
    const home = embeddedHome(store, {
      images,
      shards,
      saving: {
        indexes: saved,
        after: config.save_index_after,
        damaged: lost,
        warn: (event) => log.warn(event, 'saved index'),
      },
    });
    const profiles = new Profiles(store, config.data);
    const reviewed = { records: new FolderRecords(images), shards: () => shards };
    return { home, store, auditLog: new AuditFiles(config.data), profiles, reviewed, outage: () => undefined };
  }

  async function openCluster(address: ClusterAddress) {
    const warn = (what: string): void => log.warn({ what }, 'cluster');
    const home = keep(await ClusterHome.start(address, { threads: config.search_workers, metrics, warn }));
    let shards: Shards | undefined; // for ignored pictures alone
    keep({ close: async () => shards?.close() });
    const reviewed = {
      records: home.records,
      shards: () => (shards ??= new Shards(1, lost, { metrics, waitLimit: 1000 * config.search_wait })),
    };
    return {
      ...{ home, store: home.store, auditLog: home.audit, profiles: home.profiles, reviewed },
      outage: () => home.outage,
    };
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

function endProcess(cause: Error): void {
  throw cause;
}

/** By type only, since names of applications are confidential. */
function sampleApplications(metrics: Metrics, overview: () => Promise<readonly Overview[]>): void {
  const byType = (pick: (overview: Overview) => number) => async (): Promise<Reading> => {
    const sums = new Map<string, number>();
    for (const each of await overview()) sums.set(each.type, (sums.get(each.type) ?? 0) + pick(each));
    return Array.from(sums, ([type, sum]) => [sum, { type }]);
  };
  metrics.sample(
    'applications',
    byType(() => 1),
  );
  metrics.sample(
    'pictures',
    byType(({ count }) => count),
  );
  metrics.sample(
    'damagedPictures',
    byType(({ damaged }) => damaged),
  );
  metrics.sample(
    'indexBytes',
    byType(({ indexBytes }) => indexBytes),
  );
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
