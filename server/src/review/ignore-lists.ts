import type { Application } from '../applications/application.ts';
import type { Ignoring } from '../applications/ignoring.ts';
import { recordsNumber } from '../applications/records.ts';
import { fail } from '../errors.ts';
import { IgnoreList, type Parts } from './ignore-list.ts';

/** The ignore lists of all applications, each opened by the first search. */
export class IgnoreLists {
  readonly #parts: Parts;
  readonly #open = new Map<number, Promise<IgnoreList>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** As now stored. Fails with DOES_NOT_APPLY for a type that compares pictures as a whole. */
  async of(application: Application): Promise<IgnoreList> {
    if (!matchesParts(application)) throw fail('DOES_NOT_APPLY', `an ignore list of ${application.traits.title}`);
    const list = await this.#opened(application);
    await list.refresh();
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
    if (!matchesParts(application)) return undefined;
    return (await this.#opened(application)).look(query);
  }

  #opened(application: Application): Promise<IgnoreList> {
    const number = recordsNumber(application);
    let list = this.#open.get(number);
    if (!list) {
      list = IgnoreList.open(application, number, this.#parts);
      this.#open.set(number, list);
      list.catch(() => this.#open.delete(number));
    }
    return list;
  }
}

/** The types that compare pictures as a whole have no shortlist by terms. */
function matchesParts({ definition }: Application): boolean {
  return definition.terms !== undefined;
}
