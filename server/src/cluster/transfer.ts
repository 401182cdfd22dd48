import { randomUUID } from 'node:crypto';
import { type ApplicationType, definitionOf, type TypeDefinition } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { ApplicationRecord, NewImage } from '../store/store.ts';
import type { Document } from './body.ts';
import type { Connection } from './connection.ts';
import { hasCopies } from './copies.ts';
import { documentOf, pictureOf, STORED_PICTURE } from './document.ts';
import type { Matchers } from './matchers.ts';
import { type Fields, keyOf, Pictures } from './pictures.ts';
import { PICTURES } from './search-query.ts';
import { bytesIn } from '../parameters/base64.ts';

/** Pictures of a request. */
const BATCH = 100;

interface Parts {
  readonly connection: Connection;
  readonly matchers: Matchers;
}

/** Reads and writes all pictures of an application in a cluster, in large requests. */
export class Transfer {
  readonly #application: number;
  readonly #type: ApplicationType;
  readonly #definition: TypeDefinition;
  readonly #pictures: Pictures;
  readonly #matchers: Matchers;

  constructor({ number, type, network }: ApplicationRecord, { connection, matchers }: Parts) {
    this.#application = number;
    this.#type = type;
    this.#definition = definitionOf(type, network);
    this.#pictures = new Pictures(connection, number);
    this.#matchers = matchers;
  }

  /** All pictures in batches, by the bytes of their ids. */
  async *all(): AsyncGenerator<NewImage[]> {
    for await (const batch of this.#stored()) yield batch.map(pictureOf);
  }

  /** For each picture in batches what is wrong with it, or undefined. */
  async *faults(): AsyncGenerator<(Fault | undefined)[]> {
    for await (const batch of this.#stored()) yield await Promise.all(batch.map((document) => this.#fault(document)));
  }

  async #fault(document: Document): Promise<Fault | undefined> {
    const { id, digest, norm } = document._source as Stored;
    const { dna } = pictureOf(document);
    const fault = (what: string): Fault => ({ id, what });
    if (keyOf(id) !== document._id) return fault(`expected the key ${keyOf(id)}, found ${document._id}`);
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

  async *#stored(): AsyncGenerator<readonly Document[]> {
    for (let last: string | undefined; ;) {
      const found = await this.#pictures.documents({
        size: BATCH,
        track_total_hits: false,
        ...STORED_PICTURE,
        _source: [...STORED_PICTURE._source, 'digest', 'norm'],
        docvalue_fields: [...STORED_PICTURE.docvalue_fields, 'beginning', 'rest'],
        query: PICTURES,
        sort: [{ id: 'asc' }],
        ...(last !== undefined && { search_after: [last] }),
      });
      if (found.length === 0) return;
      yield found;
      last = (found.at(-1)!._source as Stored).id;
    }
  }

  /** Adds pictures, durably; searches see them after a moment. Those whose id exists are left as they are. */
  async add(pictures: readonly NewImage[]): Promise<void> {
    for (let start = 0; start < pictures.length; start += BATCH) {
      await this.#addBatch(pictures.slice(start, start + BATCH));
    }
  }

  async #addBatch(pictures: readonly NewImage[]): Promise<void> {
    const place = { application: this.#application, type: this.#type, matchers: this.#matchers };
    const documents = await Promise.all(pictures.map((picture) => documentOf(picture, randomUUID(), place)));
    const lines = pictures.map(({ id }, i) => {
      return `${JSON.stringify({ create: { _id: keyOf(id), require_alias: true } })}\n${JSON.stringify(documents[i])}\n`;
    });
    const { body } = await this.#pictures.send({ method: 'POST', path: '_bulk', body: lines.join(''), changes: true });
    for (const { create } of body.items) {
      const { status, error, _shards } = create;
      if (status === 409) continue; // there already, which the comparison checks
      if (error) throw fail('CLUSTER_OUTCOME_UNKNOWN', `${error.reason} (HTTP ${status})`);
      if (!hasCopies(_shards)) throw fail('CLUSTER_OUTCOME_UNKNOWN', 'too few copies have the pictures');
    }
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
