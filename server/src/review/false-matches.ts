import { valueIn } from '../applications/records.ts';
import type { RecordHolder } from './review-store.ts';
import { kinds, type Wrong } from './stored.ts';

/** Matches that people have marked as false. */
export class FalseMatches implements RecordHolder {
  readonly kinds = [kinds.wrong];
  readonly #byId = new Map<string, Wrong>();

  take(_: string, id: string, body: Uint8Array | null): void {
    if (body) this.#byId.set(id, valueIn<Wrong>(body));
    else this.#byId.delete(id);
  }

  all(): readonly Wrong[] {
    return [...this.#byId.values()];
  }
}
