import { createHash } from 'node:crypto';
import type { Network } from '@sosia/engine';
import {
  ClusteredBackend,
  clusterAddress,
  embeddingName,
  Metrics,
  openApplicationStore,
  openImageStore,
  recordsNumber,
} from '@sosia/server';
import type { ApplicationRecord, ClusterFiles, NewImage, RecordStore, SharedStore } from '@sosia/server';
import { existing } from '../../data-folder/folder.ts';
import { logLine } from '../../terminal/output.ts';

/** A data folder or a cluster, whose applications are read or written while no service changes them. */
export interface Storage {
  /** For messages; without a password. */
  readonly name: string;
  applications(): Promise<readonly ApplicationRecord[]>;
  /** The network that describes the pictures of an application. */
  network(application: ApplicationRecord): Promise<Network | undefined>;
  create(row: Omit<ApplicationRecord, 'number'>, network?: Network): Promise<ApplicationRecord>;
  /** Verdicts, ignored pictures and the like. */
  readonly records: RecordStore;
  /** All pictures, in batches. */
  pictures(application: ApplicationRecord): AsyncIterable<readonly NewImage[]>;
  /** Adds pictures, durably. Those whose id is in `known` are left as they are. */
  add(application: ApplicationRecord, pictures: readonly NewImage[], known: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

/** @param text  a folder, or the address of a cluster */
export function openStorage(
  text: string,
  { files, threads, mustExist }: { files: ClusterFiles; threads: number; mustExist: boolean },
) {
  const hasPassword = /^[^/]+:.*@/.test(text); // an address without its scheme, not a folder
  return text.includes('://') || hasPassword
    ? openCluster(text, files, threads)
    : openFolder(mustExist ? existing(text, '--from') : text);
}

/** All that a copy of a picture must have in common with it. */
export function digestOf({ id, keywords, dna, thumbnail, details }: NewImage): string {
  const properties = inOrder(details ?? {}); // a cluster gives them in another order
  const lengths = [dna.length, thumbnail?.length ?? 0];
  const hash = createHash('sha256').update(JSON.stringify([id, keywords, properties, lengths]));
  return hash
    .update(dna)
    .update(thumbnail ?? '')
    .digest('base64');
}

/** Objects as lists of their properties by name, at every depth. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const properties = Object.entries(value).map(([name, each]): [string, unknown] => [name, inOrder(each)]);
  return properties.sort(([a], [b]) => (a < b ? -1 : 1));
}

async function openFolder(folder: string): Promise<Storage> {
  const report = ({ file, what }: { file: string; what: string }): void => logLine(`damaged: ${file}: ${what}`);
  const images = await openImageStore(folder, report);
  const store = openApplicationStore(folder, report);
  return {
    name: folder,
    records: images,
    applications: async () => store.list(),
    network: async (application) => networkOf(application, store.profiles),
    create: async (row, network) => store.create(row, network),
    async *pictures({ number, type, network }) {
      for await (const records of images.replay(number, type, network)) {
        yield await Promise.all(
          records.map(async ({ id, keywords, dna, number: picture }) => {
            const [thumbnail, details] = await Promise.all([
              images.thumbnail(number, picture),
              images.details(number, picture),
            ]);
            return { id, keywords, dna, thumbnail, details };
          }),
        );
      }
    },
    async add({ number }, pictures, known) {
      await Promise.all(pictures.filter(({ id }) => !known.has(id)).map((picture) => images.append(number, picture)));
    },
    async close() {
      store.close();
      await images.close();
    },
  };
}

async function openCluster(text: string, files: ClusterFiles, threads: number): Promise<Storage> {
  const address = clusterAddress(text, files);
  const backend = await ClusteredBackend.start(address, { threads, metrics: new Metrics(), warn: logLine });
  return {
    name: `the cluster at ${address.hosts.map(({ host }) => host).join(', ')}`,
    records: backend.records,
    applications: async () => backend.store.list(),
    network: (application) => networkOf(application, backend.store.profiles),
    create: (row, network) => backend.store.create(row, network),
    async *pictures(application) {
      const { number } = application;
      await backend.records.collectEvents({ records: recordsNumber({ record: application }), pictures: number });
      yield* backend.transfer(application).all();
    },
    add: (application, pictures, known) =>
      backend.transfer(application).add(pictures.filter(({ id }) => !known.has(id))),
    close: () => backend.close(),
  };
}

async function networkOf(
  { network }: ApplicationRecord,
  profiles: Pick<SharedStore['profiles'], 'find'>,
): Promise<Network | undefined> {
  if (!network) return undefined;
  const name = embeddingName(network);
  const profile = (await profiles.find(name))?.profile;
  if (!profile || !('model' in profile)) throw new Error(`there is no ${name}`);
  return profile;
}
