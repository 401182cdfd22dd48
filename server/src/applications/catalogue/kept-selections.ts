import { selectionWith, type Selection } from '@sosia/engine';
import { hasAll, type Wanted } from '../metadata-terms.ts';
import type { Entry } from './catalogue.ts';

/** Selections that are kept, of up to 125 KB for a million pictures each. */
const MAX_SELECTIONS = 8;

interface Kept extends Wanted {
  selection: Selection;
}

/** The latest selections by keywords and ranges, which follow the changes of the pictures. */
export class KeptSelections {
  /** The one used last at the end. */
  readonly #kept = new Map<string, Kept>();

  /** @param make  for a selection that is not kept */
  get(wanted: Wanted, make: () => Selection): Selection {
    const key = JSON.stringify([wanted.keywords, wanted.ranges]);
    const kept = this.#kept.get(key) ?? { ...wanted, selection: make() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > MAX_SELECTIONS) this.#kept.delete(this.#kept.keys().next().value!);
    return kept.selection;
  }

  /** @param isThere  whether the picture has come, or has been removed */
  change({ number, keywords }: Entry, isThere: boolean): void {
    for (const kept of this.#kept.values())
      if (hasAll(keywords, kept)) kept.selection = selectionWith(kept.selection, number, isThere);
  }

  clear(): void {
    this.#kept.clear();
  }
}
