import { join } from 'node:path';
import { openToRead, openUnchecked } from './database.ts';
import { fileNames } from './folder.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import type { ApplicationType, NetworkIdentity } from '@sosia/engine';
import type { Damage, StoredImage } from './store.ts';
import { recordReader } from './record-table.ts';
import { structureOf, type Structure } from './structure.ts';
import { serveThread } from '../workers/thread.ts';
import { thumbnailReader } from './thumbnail-table.ts';

/** A batch has at most this many pictures, and is closed at this many bytes of DNA. */
const BATCH = { pictures: 256, bytes: 2 ** 21 };

interface ReplayRequest {
  readonly application: number;
  readonly type: ApplicationType | undefined;
  readonly network: NetworkIdentity | undefined;
  readonly some: Uint32Array | undefined;
}

export interface Batch {
  readonly images: StoredImage[];
  readonly damages: Damage[];
}

let path: string;
let doubtful = false;
let reader: ImageReader;
let thumbnails: ReturnType<typeof thumbnailReader>;
let records: ReturnType<typeof recordReader>;
/**
 * A replay has its own connection. libsql releases a closed connection only with the thread, so connections are reused.
 */
const idle: ImageReader[] = [];
const replays = new Map<number, { source: ImageReader; found: Generator<StoredImage | Damage, void> }>();
let begun = 0;

const jobs = {
  /** Must be called first if there is a database. */
  examine(folder: string): Structure {
    const structure = structureOf(openUnchecked(join(folder, fileNames.images)));
    doubtful = structure.faults.length > 0;
    return structure;
  },
  open(folder: string): void {
    path = join(folder, fileNames.images);
    const database = openToRead(path);
    reader = new ImageReader(database, doubtful);
    thumbnails = thumbnailReader(database);
    records = recordReader(database);
  },
  count: (application: number) => reader.count(application),
  images: ({ application, numbers }: { application: number; numbers: readonly number[] }) =>
    numbers.flatMap((number) => reader.image(application, number) ?? []),
  dna: ({ application, number }: { application: number; number: number }) => reader.dna(application, number),
  thumbnail: ({ application, number }: { application: number; number: number }) =>
    thumbnails.thumbnail(application, number),
  records: ({ application, kind }: { application: number; kind: string }) => records.records(application, kind),
  record: ({ application, kind, id }: { application: number; kind: string; id: string }) =>
    records.record(application, kind, id),
  recordsAfter: (of: { application: number; kind: string; after: string; count: number }) =>
    records.recordsAfter(of.application, of.kind, of.after, of.count),
  lastRecord: (of: { application: number; kind: string }) => records.lastRecord(of.application, of.kind),
  details: ({ application, number }: { application: number; number: number }) => records.details(application, number),
  identity: () => reader.identity(),
  held: (application: number) => reader.held(application),
  begin({ application, type, network, some }: ReplayRequest): number {
    const source = idle.pop() ?? new ImageReader(openToRead(path), doubtful);
    replays.set(++begun, { source, found: source.replay(application, type, network, some) });
    return begun;
  },
  /** An empty batch is the end. */
  next(replay: number): Batch {
    const batch: Batch = { images: [], damages: [] };
    let bytes = 0;
    for (const found of upTo(BATCH.pictures, replays.get(replay)!.found)) {
      if (isDamage(found)) batch.damages.push(found);
      else {
        batch.images.push(found);
        bytes += found.dna.length;
      }
      if (bytes >= BATCH.bytes) break;
    }
    return batch;
  },
  end(replay: number): void {
    const { source, found } = replays.get(replay)!;
    found.return(undefined);
    replays.delete(replay);
    idle.push(source);
  },
};
export type ReaderJobs = typeof jobs;

serveThread(jobs);

/** The next value of a generator, which can continue afterwards. */
function* upTo<T>(limit: number, from: Generator<T, void>): Generator<T> {
  for (let i = 0; i < limit; i++) {
    const { value, done } = from.next();
    if (done) return;
    yield value;
  }
}
