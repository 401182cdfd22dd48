import { randomUUID } from 'node:crypto';
import type { ApplicationRecord } from '../store/store.ts';
import { conditionOf } from './body.ts';
import type { Document } from './body.ts';
import type { Connection } from './connection.ts';
import { fewCopies, hasCopies } from './copies.ts';
import {
  CAUSED,
  type Caused,
  causedIn,
  documentOf,
  pictureOf,
  STATE_FIELDS,
  STORED_PICTURE,
  storedOf,
  withCaused,
} from './document.ts';
import { CHANGE_LIMIT, GatheredChanges } from './gathered-changes.ts';
import type { Matchers } from './matchers.ts';
import { Pictures } from './pictures.ts';

/** The documents of an application in which events wait; also marks of pictures that were deleted since. */
export class CausedPictures {
  readonly #record: ApplicationRecord;
  readonly #pictures: Pictures;
  readonly #changes: GatheredChanges;
  readonly #matchers: Matchers;

  constructor(record: ApplicationRecord, connection: Connection, matchers: Matchers) {
    this.#record = record;
    this.#pictures = Pictures.of(connection, record.number);
    this.#changes = new GatheredChanges((call) => this.#pictures.send(call));
    this.#matchers = matchers;
  }

  /** The first ones by the clocks of the nodes that added them. */
  async waiting(most: number): Promise<{ readonly key: string; readonly caused: readonly Caused[] }[]> {
    const found = await this.#pictures.documents({
      size: most,
      track_total_hits: false,
      _source: ['details.caused'],
      query: { term: { keywords: CAUSED } },
      sort: [{ changed: { order: 'asc', missing: '_first' } }, { id: 'asc' }],
    });
    return found.map((document) => ({ key: document._id, caused: causedIn(document) }));
  }

  /** Takes the events of some additions out of a document; does nothing where they are no longer in it. */
  async settle(key: string, tokens: readonly string[]): Promise<void> {
    for (;;) {
      const path = `_doc/${key}?_source=${STATE_FIELDS}`;
      const { status, body } = await this.#pictures.send({ method: 'GET', path, expected: [404] });
      if (status === 404) return;
      const { caused, version } = storedOf(body);
      if (!caused.some(({ token }) => tokens.includes(token))) return;
      const shown = await this.#shown(key);
      if (shown && conditionOf(shown as Required<Document>) === version) {
        const document = await this.#without(shown, tokens);
        const until = performance.now() + CHANGE_LIMIT;
        const reply = await this.#changes.put({ key, document, creates: false, version, until });
        if (reply.status !== 409 && !hasCopies(reply.body._shards)) throw fewCopies(reply.body._shards);
      } else await this.#pictures.send({ method: 'POST', path: '_refresh' });
    }
  }

  /** As searches see it, with all that is stored. */
  async #shown(key: string): Promise<Document | undefined> {
    const [found] = await this.#pictures.documents({
      size: 1,
      track_total_hits: false,
      seq_no_primary_term: true,
      ...STORED_PICTURE,
      _source: [...STORED_PICTURE._source, 'deleted'],
      query: { ids: { values: [key] } },
    });
    return found;
  }

  async #without(shown: Document, tokens: readonly string[]): Promise<object> {
    const { number: application, type } = this.#record;
    const left = causedIn(shown).filter(({ token }) => !tokens.includes(token));
    const change = randomUUID();
    const { id, deleted } = shown._source as { readonly id?: string; readonly deleted?: number };
    if (id === undefined) return withCaused({ application, change, deleted }, left);
    const context = { application, type, matchers: this.#matchers };
    return withCaused(await documentOf(pictureOf(shown), change, context), left);
  }
}
