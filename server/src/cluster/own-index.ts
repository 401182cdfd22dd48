import { setTimeout as pause } from 'node:timers/promises';
import type { ApplicationType } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Document } from './body.ts';
import { bulkChanges } from './bulk.ts';
import type { Connection } from './connection.ts';
import { COPIES_PAUSE, COPIES_TRIALS } from './copies.ts';
import { causedIn, documentOf, pictureOf, STORED_PICTURE, withCaused } from './document.ts';
import type { Leases } from './leases.ts';
import type { Matchers } from './matchers.ts';
import { patiently } from './patiently.ts';
import {
  block,
  createPictureIndex,
  currentIndex,
  moveAlias,
  nextIndex,
  removeDocuments,
  removeOthers,
  unblock,
} from './picture-indexes.ts';
import { Pictures } from './pictures.ts';
import { leaseOf, whileLeased } from './split-index.ts';

/** Documents of a request. */
const BATCH = 100;
/** Documents that changed during a round of copying, few enough for the last one. */
const LAST_ROUND = 50;
/** Rounds beside changes. With each, fewer documents are left. */
const MAX_ROUNDS = 10;

interface OwnIndexOptions {
  readonly matchers: Matchers;
  /** Of the new index. */
  readonly shards?: number;
  /** Ends the copying, and the application is as before. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Moves the pictures of an application from an index that it shares into its own one. They are copied beside changes; then the shared index takes
 * none for about a second, for which changes wait, and the alias of the application changes. Searches are answered throughout.
 * Does nothing where the application has its own index.
 *
 * @throws Failure OVERLOADED while another process works on its index, CLUSTER_… as `Connection.send`
 */
export async function giveOwnIndex(
  connection: Connection,
  leases: Leases,
  { number, type }: Pick<ApplicationRecord, 'number' | 'type'>,
  { matchers, shards = 1, signal }: OwnIndexOptions,
): Promise<void> {
  await whileLeased(leases, number, async (checkLease) => {
    const { name: shared, owner } = await currentIndex(connection, number);
    if (owner !== undefined) return;
    const target = nextIndex(connection, number);
    try {
      await removeOthers(connection, number, shared); // of an attempt that was broken off
      await createPictureIndex(connection, target, shards);
      const copy = new IndexCopy({ application: number, type, matchers }, connection, target);
      for (let round = 1; round <= MAX_ROUNDS && (await copy.bring(signal)) > LAST_ROUND; round++);
      await leases.run(leaseOf(shared), async (checkShared) => {
        await whileBlocked(connection, shared, checkShared, async () => {
          await copy.bringAll();
          checkLease();
          checkShared();
          await moveAlias(connection, number, shared, target);
        });
        await removeDocuments(connection, shared, number);
      });
    } catch (cause) {
      checkLease(); // otherwise another process may be copying it
      await removeOthers(connection, number, (await currentIndex(connection, number)).name);
      throw cause;
    }
  });
}

/** A process that has lost the lease leaves the index to the one that has it. */
async function whileBlocked(
  connection: Connection,
  index: string,
  checkLease: () => void,
  work: () => Promise<void>,
): Promise<void> {
  await block(connection, index);
  try {
    await work();
  } finally {
    checkLease();
    await patiently(() => unblock(connection, index));
  }
}

interface CopyContext {
  readonly application: number;
  readonly type: ApplicationType;
  readonly matchers: Matchers;
}

/** The documents of an application, copied as they change: pictures and marks of deleted ones, with what waits in them. */
class IndexCopy {
  readonly #context: CopyContext;
  readonly #from: Pictures;
  readonly #target: Pictures;
  /** The sequence number of the shared index up to which all is copied. */
  #behind = -1;

  constructor(context: CopyContext, connection: Connection, target: string) {
    this.#context = context;
    this.#from = Pictures.of(connection, context.application);
    this.#target = new Pictures(connection, target);
  }

  /** Copies what has changed since the call before. @returns the number of documents */
  async bring(signal?: AbortSignal): Promise<number> {
    const last = (await this.#from.checkpoint()).shards['0']!;
    let brought = 0;
    while (this.#behind < last) {
      signal?.throwIfAborted();
      const documents = await this.#from.documents(documentsQuery(this.#behind, last), '0');
      const copies = await Promise.all(documents.map((document) => this.#copied(document)));
      const changes = documents.map(({ _id }, i) => [{ index: { _id } }, copies[i]!]);
      await bulkChanges((call) => this.#target.send(call), '_bulk', changes);
      brought += documents.length;
      this.#behind = documents.length < BATCH ? last : documents.at(-1)!._seq_no!;
    }
    return brought;
  }

  /** Copies all that was ever changed in an index that takes no changes, and has searches of the new one see it. */
  async bringAll(): Promise<void> {
    for (let trial = 0; ; trial++) {
      const { shards, given } = await this.#from.checkpoint();
      if (shards['0'] === given['0']) break;
      if (trial === COPIES_TRIALS) throw fail('CLUSTER_INCOMPLETE', 'a copy of the index is behind');
      await pause(COPIES_PAUSE);
    }
    await this.bring();
    const { _shards } = (await this.#target.send({ method: 'POST', path: '_refresh' })).body;
    if (_shards.failed > 0) throw fail('CLUSTER_INCOMPLETE', 'a copy of the new index does not answer');
  }

  async #copied(document: Document): Promise<object> {
    const { application } = this.#context;
    const { id, change, changed, deleted } = document._source as Copied;
    const own =
      id === undefined
        ? { application, change, deleted }
        : { ...(await documentOf(pictureOf(document), change, this.#context)), changed };
    return withCaused(own, causedIn(document));
  }
}

interface Copied {
  /** Missing for the mark of a deleted picture. */
  readonly id?: string;
  readonly change: string;
  readonly changed?: number;
  readonly deleted?: number;
}

/** Documents whose sequence numbers are behind the first, up to the last one. */
function documentsQuery(first: number, last: number): object {
  return {
    size: BATCH,
    track_total_hits: false,
    seq_no_primary_term: true,
    ...STORED_PICTURE,
    _source: [...STORED_PICTURE._source, 'change', 'changed', 'deleted'],
    sort: [{ _seq_no: 'asc' }],
    query: { range: { _seq_no: { gt: first, lte: last } } },
  };
}
