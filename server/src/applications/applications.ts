import type { ApplicationStore } from '../store/store.ts';
import type { Application, Overview } from './application.ts';
import { HostedApplication } from './hosted.ts';
import type { Dependencies } from './hosted.ts';
import { digestOf } from './keys.ts';

/** The applications of a running server. */
export interface Applications {
  /**
   * The application of a key; undefined for a key that is missing, unknown or disabled. Changes made by any process
   * count from the next call on.
   */
  find(key: string): Application | undefined;
  /** As `find`, by what is kept of the key. */
  withDigest(keyDigest: string): Application | undefined;
  overview(): Promise<Overview[]>;
}

/**
 * Loads every application with all its pictures; deleted ones are purged.
 * @param progress  told now and then how many pictures of an application are loaded
 * @param failed    told when a deleted application could not be purged; the next start tries again
 */
export async function openApplications(
  store: ApplicationStore,
  dependencies: Dependencies,
  progress: (application: string, loaded: number) => void,
  failed: (cause: unknown) => void,
): Promise<Applications> {
  const hosted = new Map<number, HostedApplication>();
  let byDigest = new Map<string, HostedApplication>();
  let revision = NaN;

  /** Brings in what any process has changed since the last look. */
  function refresh(): void {
    const now = store.revision();
    if (now === revision) return;
    const records = store.list();
    revision = now;

    const listed = new Set(records.map(({ number }) => number));
    for (const [number, application] of hosted) {
      if (!listed.has(number)) leave(number, application).catch(failed);
    }
    for (const record of records) {
      const known = hosted.get(record.number);
      if (known) known.record = record;
      else hosted.set(record.number, new HostedApplication(record, dependencies));
    }
    byDigest = new Map([...hosted.values()].map((application) => [application.record.keyDigest, application]));
  }

  function withDigest(keyDigest: string): Application | undefined {
    refresh();
    const application = byDigest.get(keyDigest);
    return application?.record.enabled ? application : undefined;
  }

  async function leave(number: number, application: HostedApplication): Promise<void> {
    hosted.delete(number);
    await application.drop();
    // one whose row is damaged is listed nowhere either, and its pictures must stay
    if (store.deleted().includes(number)) await dependencies.images.purge(number);
  }

  // where it cannot be done, the pictures stay unseen, and the next start tries again
  for (const number of store.deleted()) await dependencies.images.purge(number).catch(failed);
  refresh();
  for (const application of hosted.values()) {
    for await (const records of dependencies.images.replay(application.record.number, application.type)) {
      await application.load(records);
      progress(application.name, application.count);
    }
  }

  return {
    find: (key) => withDigest(digestOf(key)),
    withDigest,
    overview() {
      refresh();
      return Promise.all([...hosted.values()].map((application) => application.overview()));
    },
  };
}
