import type { Application } from '../applications/application.ts';
import type { Ignoring } from '../applications/ignoring.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { RecordStore } from '../store/store.ts';
import { IgnoreList } from './ignore-list.ts';
import { recordsNumber } from './stored.ts';

/** The ignore lists of all applications, each opened by the first search. */
export class IgnoreLists {
  readonly #parts: { readonly records: RecordStore; readonly shards: Shards } | undefined;
  readonly #open = new Map<number, Promise<IgnoreList>>();

  /** @param parts  undefined: there are none, and `of` fails with NOT_IN_CLUSTERS */
  constructor(parts: { readonly records: RecordStore; readonly shards: Shards } | undefined) {
    this.#parts = parts;
  }

  /** Fails with NOT_IN_CLUSTERS, and with DOES_NOT_APPLY for a type that compares pictures as a whole. */
  async of(application: Application): Promise<IgnoreList> {
    const parts = this.#parts;
    if (!parts) throw fail('NOT_IN_CLUSTERS', 'an ignore list');
    if (!matchesParts(application)) throw fail('DOES_NOT_APPLY', `an ignore list of ${application.traits.title}`);
    const number = recordsNumber(application);
    let list = this.#open.get(number);
    if (!list) {
      list = IgnoreList.open(application, number, parts);
      this.#open.set(number, list);
      list.catch(() => this.#open.delete(number));
    }
    return list;
  }

  /** @param number  that of the records of a deleted application */
  async forget(number: number): Promise<void> {
    const list = this.#open.get(number);
    this.#open.delete(number);
    await (await list)?.drop();
  }

  /** What the list of an application takes of a query; undefined where it takes nothing. */
  async look(application: Application, query: Uint8Array): Promise<Ignoring | undefined> {
    if (!this.#parts || !matchesParts(application)) return undefined;
    const list = await this.of(application);
    return list.size > 0 ? list.look(query) : undefined;
  }
}

/** The types that compare pictures as a whole have no shortlist by terms. */
function matchesParts({ definition }: Application): boolean {
  return definition.terms !== undefined;
}
