/**
 * A line in which tenants take turns: next is the oldest item of the tenant whose last turn is longest ago. How much one has
 * waiting delays another by nothing where that one has just had its turn, else by one item at most.
 */
export class FairQueue<T> {
  /** A tenant with nothing waiting is not in it. */
  readonly #waiting = new Map<number, T[]>();
  /** Of every tenant that ever had one, the number of its last turn. */
  readonly #turns = new Map<number, number>();
  #turn = 0;
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

  /** @param without  tenants that are passed over */
  shift(without: ReadonlySet<number> = new Set()): T | undefined {
    const next = this.#next(without);
    return next && this.#take(...next, 0);
  }

  /** As `shift`, but the item stays where it is until it is removed: it may need several turns. */
  turn(): T | undefined {
    return this.#next(new Set())?.[1][0];
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
    const most = this.#largest;
    if (!most || !this.mayMakeRoomFor(tenant)) return undefined;
    const [larger, line] = most;
    return this.#take(larger, line, line.length - 1);
  }

  /** Whether `makeRoomFor` would. */
  mayMakeRoomFor(tenant: number): boolean {
    return (this.#largest?.[1].length ?? 0) > (this.#waiting.get(tenant)?.length ?? 0) + 1;
  }

  /** Takes out everything. */
  drain(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#length = 0;
    return all;
  }

  /** Gives a turn to the tenant whose last one is longest ago. */
  #next(without: ReadonlySet<number>): [number, T[]] | undefined {
    const lastTurn = ([tenant]: [number, T[]]) => this.#turns.get(tenant) ?? 0;
    const [first, ...others] = [...this.#waiting].filter(([tenant]) => !without.has(tenant));
    if (!first) return undefined;
    const next = others.reduce((a, b) => (lastTurn(b) < lastTurn(a) ? b : a), first);
    this.#turns.set(next[0], ++this.#turn);
    return next;
  }

  /** The tenant that has the most waiting. */
  get #largest(): [number, T[]] | undefined {
    const [first, ...others] = this.#waiting;
    return first && others.reduce((a, b) => (b[1].length > a[1].length ? b : a), first);
  }

  #take(tenant: number, line: T[], at: number): T {
    const [item] = line.splice(at, 1);
    this.#length--;
    if (line.length === 0) this.#waiting.delete(tenant);
    return item!;
  }
}
