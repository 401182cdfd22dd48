/** A child at work for a tenant. */
export interface Work {
  readonly tenant: number;
  stop(): void;
  resume(): void;
}

/** How long one works before another that is stopped has its turn, in milliseconds. */
const SLICE = 20;
/** How long one is stopped before it goes on whatever the others have had, in milliseconds: a slice makes up for as much. */
const LONGEST_STOP = 250;
/** How much work, in milliseconds, a tenant that has asked for little may have before those that have asked for much go on. */
const CREDIT = 500;

/**
 * Shares places among more works than there are: those of the tenants that have had least go on, the others are stopped
 * until it is their turn. So a tenant that asks for little need not wait for the end of what another has begun. A tenant
 * that comes back is taken to have had as much as those at work have had, but for the credit. Nobody stands still for
 * long, however many others come.
 *
 * K. J. Duda, D. R. Cheriton, "Borrowed-virtual-time (BVT) scheduling", SOSP 1999.
 */
export class Scheduler {
  readonly #places: number;
  /** In the order they began. */
  readonly #works = new Set<Work>();
  readonly #stopped = new Set<Work>();
  /** For how much of the time that it was stopped a work has not been made up yet, in milliseconds. */
  readonly #missed = new Map<Work, number>();
  /** How much each tenant has had, in milliseconds. */
  readonly #had = new Map<number, number>();
  #counted = 0;
  #next: NodeJS.Timeout | undefined;

  constructor(places: number) {
    this.#places = places;
  }

  get works(): ReadonlySet<Work> {
    return this.#works;
  }

  begin(work: Work): void {
    this.#count();
    const least = Math.min(...[...this.#works].map(({ tenant }) => this.#had.get(tenant)!));
    if (this.#works.size === 0) this.#had.clear();
    const had = this.#had.get(work.tenant) ?? 0;
    this.#had.set(work.tenant, this.#works.size === 0 ? had : Math.max(had, least - CREDIT));
    this.#works.add(work);
    this.#share();
  }

  end(work: Work): void {
    this.#count();
    this.#works.delete(work);
    this.#missed.delete(work);
    if (this.#stopped.delete(work)) work.resume(); // it may have been done just before it was stopped
    this.#share();
  }

  /** Stops and resumes as is due. */
  #share(): void {
    clearTimeout(this.#next);
    const turn = (work: Work) => ((this.#missed.get(work) ?? 0) > LONGEST_STOP ? 0 : this.#had.get(work.tenant)!);
    const inTurn = [...this.#works].sort((a, b) => turn(a) - turn(b));
    const places = this.#placesFor(inTurn);
    for (const work of inTurn.slice(places)) {
      if (!this.#stopped.has(work)) work.stop();
      this.#stopped.add(work);
    }
    for (const work of inTurn.slice(0, places)) if (this.#stopped.delete(work)) work.resume();
    if (this.#stopped.size === 0) return;
    this.#next = setTimeout(() => {
      this.#count();
      this.#share();
    }, SLICE);
  }

  /**
   * One place fewer while the first work is of a tenant that has had far less than that of the next: the server's own threads,
   * which read requests and search, then do not take the processor from it.
   */
  #placesFor([first, second]: readonly Work[]): number {
    if (!first || !second) return this.#places;
    const ahead = this.#had.get(second.tenant)! - this.#had.get(first.tenant)!;
    return ahead > CREDIT / 2 ? Math.max(1, this.#places - 1) : this.#places;
  }

  /** Counts the time since it was last counted as had by those at work, and as missed by the others. */
  #count(): void {
    const now = performance.now();
    const passed = now - this.#counted;
    for (const work of this.#works) {
      const missed = this.#missed.get(work) ?? 0;
      if (this.#stopped.has(work)) {
        this.#missed.set(work, missed + passed);
      } else {
        this.#had.set(work.tenant, this.#had.get(work.tenant)! + passed);
        this.#missed.set(work, Math.max(0, missed - (passed * LONGEST_STOP) / SLICE));
      }
    }
    this.#counted = now;
  }
}
