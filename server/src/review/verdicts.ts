import { valueIn } from '../applications/records.ts';
import { has } from './group-filter.ts';
import { groupIdOf, Pairs } from './links.ts';
import type { RecordHolder } from './review-store.ts';
import { kinds, type Verdict } from './stored.ts';

/** What people have decided on groups. */
export class Verdicts implements RecordHolder {
  readonly kinds = [kinds.verdict];
  readonly #byId = new Map<string, Verdict>();
  #apart = new Pairs();
  /** The ids of the latest verdicts, by the ids of their groups. */
  readonly #latest = new Map<string, string>();
  /** The number of the latest verdict, also of one that was taken back. */
  #last = 0;

  take(_: string, id: string, body: Uint8Array | null): void {
    const verdict = body ? valueIn<Verdict>(body) : this.#byId.get(id);
    const group = verdict && groupIdOf(verdict.images);
    if (body) {
      this.#byId.set(id, verdict!);
      if (id >= (this.#latest.get(group!) ?? '')) this.#latest.set(group!, id);
    } else {
      this.#byId.delete(id);
      if (this.#latest.get(group ?? '') === id) this.#latest.delete(group!);
    }
    this.#last = Math.max(this.#last, Number(id));
  }

  taken(): void {
    this.#apart = new Pairs();
    for (const { verdict, images } of this.#byId.values()) {
      if (verdict === 'different' || verdict === 'ignore') this.#apart.addAll(images);
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Verdict | undefined {
    return this.#byId.get(id);
  }

  /** Those whose pictures are not all removed yet. */
  get pending(): (readonly [string, Verdict])[] {
    return [...this.#byId].filter(([, { pending }]) => pending);
  }

  /** Pictures that were judged not to be the same. */
  get apart(): Pairs {
    return this.#apart;
  }

  isPutOff(group: string): boolean {
    return this.#byId.get(this.#latest.get(group) ?? '')?.verdict === 'later';
  }

  /** The latest verdict on exactly these pictures. */
  on(images: readonly string[]): readonly [id: string, Verdict] | undefined {
    const id = this.#latest.get(groupIdOf(images));
    return id === undefined ? undefined : [id, this.#byId.get(id)!];
  }

  /** For so many verdicts more. */
  nextIds(count: number): string[] {
    return Array.from({ length: count }, (_, i) => String(this.#last + 1 + i).padStart(8, '0'));
  }

  /** One text for each verdict on the same pictures. */
  names(): Set<string> {
    return new Set([...this.#byId.values()].map(nameOf));
  }

  /** The latest first. */
  list({ verdict, contains }: VerdictFilter): (readonly [id: string, Verdict])[] {
    return [...this.#byId]
      .filter(
        ([, each]) =>
          (verdict === undefined || each.verdict === verdict) &&
          (contains === undefined || each.images.some(has(contains))),
      )
      .sort(([a], [b]) => (a < b ? 1 : -1));
  }
}

/** Which verdicts are listed. */
export interface VerdictFilter {
  readonly verdict?: string | undefined;
  /** In an id of the group. */
  readonly contains?: string | undefined;
}

export function nameOf({ verdict, images }: Pick<Verdict, 'verdict' | 'images'>): string {
  return `${verdict} ${groupIdOf(images)}`;
}
