/**
 * A queue that serves tenants round robin: the next item is the oldest of the tenant that was served longest ago. A tenant
 * waits for at most one item of any other tenant.
 */
export class FairQueue<T> {
  /** Without the tenants that have no item. */
  readonly #items = new Map<number, T[]>();
  /** The number of the last service of each tenant. */
  readonly #lastServed = new Map<number, number>();
  #served = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(tenant: number, item: T): void {
    const items = this.#items.get(tenant);
    if (items) items.push(item);
    else this.#items.set(tenant, [item]);
    this.#length++;
  }

  /** @param without  tenants that are passed over */
  shift(without: ReadonlySet<number> = new Set()): T | undefined {
    const next = this.#next(without);
    return next && this.#take(...next, 0);
  }

  /** As `shift`, but the item stays queued until it is removed: it may be served several times. */
  next(): T | undefined {
    return this.#next(new Set())?.[1][0];
  }

  /** False where the item is not queued. */
  remove(item: T): boolean {
    for (const [tenant, items] of this.#items) {
      const at = items.indexOf(item);
      if (at < 0) continue;
      this.#take(tenant, items, at);
      return true;
    }
    return false;
  }

  /**
   * For a full queue: removes the newest item of the tenant that has most items, provided that these are more than
   * `tenant` would have with one more. Undefined where the item of `tenant` should be refused instead.
   */
  evictFor(tenant: number): T | undefined {
    const largest = this.#largest;
    if (!largest || !this.canEvictFor(tenant)) return undefined;
    const [other, items] = largest;
    return this.#take(other, items, items.length - 1);
  }

  /** Whether `evictFor` would remove an item. */
  canEvictFor(tenant: number): boolean {
    return (this.#largest?.[1].length ?? 0) > (this.#items.get(tenant)?.length ?? 0) + 1;
  }

  /** Removes all items. */
  drain(): T[] {
    const all = [...this.#items.values()].flat();
    this.#items.clear();
    this.#length = 0;
    return all;
  }

  /** Serves the tenant that was served longest ago. */
  #next(without: ReadonlySet<number>): [number, T[]] | undefined {
    const lastServed = ([tenant]: [number, T[]]) => this.#lastServed.get(tenant) ?? 0;
    const [first, ...others] = [...this.#items].filter(([tenant]) => !without.has(tenant));
    if (!first) return undefined;
    const next = others.reduce((a, b) => (lastServed(b) < lastServed(a) ? b : a), first);
    this.#lastServed.set(next[0], ++this.#served);
    return next;
  }

  /** The tenant that has most items. */
  get #largest(): [number, T[]] | undefined {
    const [first, ...others] = this.#items;
    return first && others.reduce((a, b) => (b[1].length > a[1].length ? b : a), first);
  }

  #take(tenant: number, items: T[], at: number): T {
    const [item] = items.splice(at, 1);
    this.#length--;
    if (items.length === 0) this.#items.delete(tenant);
    return item!;
  }
}
