import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../errors.ts';
import { ConfinedChild, type ChildKind } from './confined-child.ts';

export interface SupervisorOptions {
  /** Whether even the first child starts with a job, and one that ended is replaced with the next job instead of at once. */
  readonly onDemand: boolean;
  /** Answers, and bytes of resident memory, after which a child is replaced. */
  readonly lifetime: { readonly answers: number; readonly memory: number };
  /** The user and group that children run as where the server is root. */
  readonly user: number;
  /** Called when a child is replaced: because it is worn, or because it ended by itself. */
  replaced(reason: 'worn' | 'lost', event: string): void;
}

/** A slot of a pool and the child in it. */
export interface ChildSlot<A extends { readonly rss: number }> {
  child: ConfinedChild<A>;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

/** Starts the children of a pool, and replaces those that end or are worn. */
export class Supervisor<A extends { readonly rss: number }> {
  readonly #kind: ChildKind<A>;
  readonly #options: SupervisorOptions;
  readonly #slots: ChildSlot<A>[] = [];
  readonly #idle: ChildSlot<A>[] = [];
  readonly #available: () => void;
  readonly #closing = new AbortController();
  readonly #kept: Promise<void>[] = [];

  /** @param available  called whenever a slot becomes idle */
  constructor(kind: ChildKind<A>, options: SupervisorOptions, available: () => void) {
    this.#kind = kind;
    this.#options = options;
    this.#available = available;
  }

  get idle(): number {
    return this.#idle.length;
  }

  get children(): readonly ConfinedChild<A>[] {
    return this.#slots.map(({ child }) => child);
  }

  /** Adds a slot and starts its child. */
  add(): void {
    const slot = { child: this.#started() };
    this.#slots.push(slot);
    if (this.#options.onDemand) this.#idle.push(slot);
    else this.#kept.push(this.#keep(slot));
  }

  /** Resolves once the children so far can be given tasks; rejects where one does not start. */
  async ready(): Promise<void> {
    const { children } = this;
    const ready = await Promise.all(children.map((child) => child.ready));
    const failed = children[ready.indexOf(false)];
    if (failed) throw new Error(`expected the ${this.#kind.name} to start, but ${await this.#endOf(failed)}`);
  }

  /** An idle slot, which is in use until it is released. */
  take(): ChildSlot<A> | undefined {
    const slot = this.#idle.pop();
    if (slot && this.#options.onDemand && !slot.child.alive) slot.child = this.#started();
    return slot;
  }

  /** @param child  the one that was in the slot when it was taken */
  release(slot: ChildSlot<A>, child: ConfinedChild<A>): void {
    if (this.#isWorn(child)) child.kill();
    if (child.alive || this.#options.onDemand) this.#offer(slot);
  }

  /** Ends the child of a slot in use and starts another. */
  async renew(slot: ChildSlot<A>): Promise<void> {
    slot.child.kill();
    await slot.child.ended;
    if (this.#closed) throw fail('SHUTTING_DOWN');
    slot.child = this.#started();
  }

  /** Resolves once no child is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const child of this.children) child.kill();
    await Promise.all([...this.#kept, ...this.children.map(({ ended }) => ended)]);
  }

  #offer(slot: ChildSlot<A>): void {
    this.#idle.push(slot);
    this.#available();
  }

  #started(): ConfinedChild<A> {
    const child = new ConfinedChild(this.#kind, this.#options.user);
    for (const sibling of this.children.filter(({ alive }) => alive)) {
      sibling.introduce(child);
      child.introduce(sibling);
    }
    return child;
  }

  /** Keeps a slot filled until the pool closes. */
  async #keep(slot: ChildSlot<A>): Promise<void> {
    for (let pause = 0; ;) {
      const { child } = slot;
      const ready = await child.ready;
      if (ready) this.#offer(slot);
      await child.ended;
      const at = this.#idle.indexOf(slot);
      if (at >= 0) this.#idle.splice(at, 1);
      if (this.#closed) return;

      const event = `${this.#kind.name} ${child.pid}: ${await this.#endOf(child)}`;
      this.#options.replaced(this.#isWorn(child) ? 'worn' : 'lost', event);
      // a child that does not even start must not be started in a tight loop
      pause = ready ? 0 : pauseAfter(pause);
      try {
        await sleep(pause, undefined, { signal: this.#closing.signal });
      } catch {
        return; // closed
      }
      slot.child = this.#started();
    }
  }

  /** How a child ended, and the end of its standard error. */
  async #endOf(child: ConfinedChild<A>): Promise<string> {
    const how = await child.ended;
    return [how, child.stderr()].filter(Boolean).join('; ');
  }

  #isWorn({ answered, memory }: ConfinedChild<A>): boolean {
    const { lifetime } = this.#options;
    return answered >= lifetime.answers || memory > lifetime.memory;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }
}

/** Milliseconds before the next try to start a child, after a try behind a pause of so many. */
export function pauseAfter(pause: number): number {
  return Math.min(LONGEST_PAUSE, pause * 2 || FIRST_PAUSE);
}
