/**
 * A line in which tenants take turns: each is served its oldest item once before another of its items comes. How much one
 * has waiting delays the others by one item at most.
 */
export class FairLine<T> {
  /** In the order of turns; a tenant with nothing waiting is not in it. */
  readonly #waiting = new Map<number, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(tenant: number, item: T): void {
    const line = this.#waiting.get(tenant);
    if (line) line.push(item);
    else this.#waiting.set(tenant, [item]);
    this.#length++;
  }

  /** The next one; its tenant's next turn comes after those of all others. */
  shift(): T | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [tenant, line] = turn;
    const item = line.shift()!;
    this.#length--;
    this.#waiting.delete(tenant);
    if (line.length > 0) this.#waiting.set(tenant, line);
    return item;
  }

  /** Takes an item out, wherever it stands; false where it is not there. */
  remove(item: T): boolean {
    for (const [tenant, line] of this.#waiting) {
      const at = line.indexOf(item);
      if (at < 0) continue;
      this.#take(tenant, line, at);
      return true;
    }
    return false;
  }

  /**
   * For a line that is full: takes out the newest item of the tenant that has the most waiting, provided that this is more
   * than `tenant` would have with one more. Undefined where the newcomer itself should go.
   */
  makeRoomFor(tenant: number): T | undefined {
    const [most, line] = [...this.#waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a), [NaN, []] as [
      number,
      T[],
    ]);
    if (line.length <= (this.#waiting.get(tenant)?.length ?? 0) + 1) return undefined;
    return this.#take(most, line, line.length - 1);
  }

  /** Takes out everything. */
  drain(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#length = 0;
    return all;
  }

  #take(tenant: number, line: T[], at: number): T {
    const [item] = line.splice(at, 1);
    this.#length--;
    if (line.length === 0) this.#waiting.delete(tenant);
    return item!;
  }
}
