import { valueIn } from '../applications/records.ts';
import { has } from './group-filter.ts';
import { groupIdOf, Pairs } from './links.ts';
import type { RecordHolder } from './review-store.ts';
import { kinds } from './stored.ts';
import type { Verdict } from './stored.ts';

/** What people have decided on groups. */
export class Verdicts implements RecordHolder {
  readonly kinds = [kinds.verdict];
  readonly #byId = new Map<string, Verdict>();
  #apart = new Pairs();
  /** Ids of groups that were put off, with the verdict. */
  #later = new Map<string, string>();
  /** The number of the latest verdict, also of one that was taken back. */
  #last = 0;

  take(_: string, id: string, body: Uint8Array | null): void {
    if (body) this.#byId.set(id, valueIn<Verdict>(body));
    else this.#byId.delete(id);
    this.#last = Math.max(this.#last, Number(id));
  }

  taken(): void {
    this.#apart = new Pairs();
    this.#later = new Map();
    for (const [id, { verdict, images }] of this.#byId) {
      if (verdict === 'different' || verdict === 'ignore') this.#apart.addAll(images);
      if (verdict === 'later') this.#later.set(groupIdOf(images), id);
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
    return this.#later.has(group);
  }

  /** The verdict that puts a group of these pictures off. */
  laterOf(images: readonly string[]): string | undefined {
    return this.#later.get(groupIdOf(images));
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
