import { randomUUID } from 'node:crypto';
import { type ApplicationType, definitionOf, type TypeDefinition } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { ApplicationRecord, NewImage } from '../store/store.ts';
import type { Document } from './body.ts';
import { bulkChanges } from './bulk.ts';
import type { Connection } from './connection.ts';
import { documentOf, pictureOf, STORED_PICTURE } from './document.ts';
import type { Matchers } from './matchers.ts';
import { patiently } from './patiently.ts';
import { type Fields, keyOf, Pictures } from './pictures.ts';
import { PICTURES } from './search-query.ts';
import { bytesIn } from '../parameters/base64.ts';

/** Pictures of a request. */
const BATCH = 100;
const REMOVED_AT_ONCE = 1000;

const BULK = '_bulk?require_alias=true';

interface Parts {
  readonly connection: Connection;
  readonly matchers: Matchers;
  /** Called after additions with their number. */
  readonly added: (count: number) => void;
}

/** Reads and writes all pictures of an application in a cluster, in large requests. */
export class Transfer {
  readonly #application: number;
  readonly #type: ApplicationType;
  readonly #definition: TypeDefinition;
  readonly #pictures: Pictures;
  readonly #matchers: Matchers;
  readonly #added: (count: number) => void;

  constructor({ number, type, network }: ApplicationRecord, { connection, matchers, added }: Parts) {
    this.#application = number;
    this.#type = type;
    this.#definition = definitionOf(type, network);
    this.#pictures = Pictures.of(connection, number);
    this.#matchers = matchers;
    this.#added = added;
  }

  /** All pictures in batches, by the bytes of their ids. @param some  ids of those that are read, all by default */
  async *all(some?: readonly string[]): AsyncGenerator<NewImage[]> {
    if (some?.length === 0) return;
    await patiently(() => this.#show());
    for (let start = 0; start < (some?.length ?? 1); start += BATCH)
      for await (const batch of this.#stored(some?.slice(start, start + BATCH))) yield batch.map(pictureOf);
  }

  /** For each picture in batches what is wrong with it, or undefined. */
  async *faults(): AsyncGenerator<(Fault | undefined)[]> {
    for await (const batch of this.#stored()) yield await Promise.all(batch.map((document) => this.#fault(document)));
  }

  async #fault(document: Document): Promise<Fault | undefined> {
    const { id, digest, norm } = document._source as Stored;
    const { dna } = pictureOf(document);
    const fault = (what: string): Fault => ({ id, what });
    const key = this.#keyOf(id);
    if (key !== document._id) return fault(`expected the key ${key}, found ${document._id}`);
    try {
      this.#definition.checkDna(dna, 'reference');
    } catch (cause) {
      return fault((cause as Error).message);
    }
    if (!this.#definition.terms) return undefined;
    const expected = await this.#matchers.run((matcher) => matcher.document(this.#application, this.#type, dna));
    if (expected.digest !== digest) return fault(`expected the digest ${expected.digest}, found ${digest}`);
    if (expected.norm !== norm) return fault(`expected the norm ${expected.norm}, found ${norm}`);
    const different = (['beginning', 'rest'] as const).find((part) => {
      return !Buffer.from(expected[part]).equals(bytesIn(document.fields![part]![0]!));
    });
    return different && fault(`expected another ${different} of its record`);
  }

  async *#stored(some?: readonly string[]): AsyncGenerator<readonly Document[]> {
    const query = some
      ? { bool: { filter: [PICTURES, { ids: { values: some.map((id) => this.#keyOf(id)) } }] } }
      : PICTURES;
    for (let last: string | undefined; ;) {
      const page = {
        size: BATCH,
        track_total_hits: false,
        ...STORED_PICTURE,
        _source: [...STORED_PICTURE._source, 'digest', 'norm'],
        docvalue_fields: [...STORED_PICTURE.docvalue_fields, 'beginning', 'rest'],
        query,
        sort: [{ id: 'asc' }],
        ...(last !== undefined && { search_after: [last] }),
      };
      const found = await patiently(() => this.#pictures.documents(page));
      if (found.length === 0) return;
      yield found;
      last = (found.at(-1)!._source as Stored).id;
    }
  }

  /** Writes some hundred pictures, durably, also in place of those with the same ids. Searches see them after a moment. */
  async put(pictures: readonly NewImage[]): Promise<void> {
    const starts = Array.from({ length: Math.ceil(pictures.length / BATCH) }, (_, i) => i * BATCH);
    await Promise.all(starts.map((start) => this.#putBatch(pictures.slice(start, start + BATCH))));
    this.#added(pictures.length);
  }

  async #putBatch(batch: readonly NewImage[]): Promise<void> {
    const place = { application: this.#application, type: this.#type, matchers: this.#matchers };
    const documents = await Promise.all(batch.map((picture) => documentOf(picture, randomUUID(), place)));
    await patiently(() => this.#write(batch.map(({ id }, i) => [{ index: { _id: this.#keyOf(id) } }, documents[i]!])));
  }

  /** Removes pictures, durably; an id without one has no effect. */
  async remove(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE) {
      const some = ids.slice(start, start + REMOVED_AT_ONCE);
      await patiently(() => this.#write(some.map((id) => [{ delete: { _id: this.#keyOf(id) } }])));
    }
  }

  async #write(changes: readonly (readonly object[])[]): Promise<void> {
    await bulkChanges((call) => this.#pictures.send(call), BULK, changes);
  }

  #keyOf(id: string): string {
    return keyOf(this.#application, id);
  }

  /** Reads that begin later see all changes made so far. */
  async #show(): Promise<void> {
    const { _shards } = (await this.#pictures.send({ method: 'POST', path: '_refresh' })).body;
    if (_shards.failed > 0) throw fail('CLUSTER_INCOMPLETE', 'pictures');
  }
}

/** A picture that is not as it should be. */
export interface Fault {
  readonly id: string;
  readonly what: string;
}

interface Stored extends Fields {
  readonly digest: string;
  readonly norm: number;
}
