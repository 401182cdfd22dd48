/** What an id holds, as the test words it; null for nothing. */
export type Content = string | null;

/** A difference between the ledger and what was found. */
export interface LedgerFault {
  /** `ghost`: there is a content that was never tried, was refused or was deleted. */
  readonly kind: 'lost' | 'ghost' | 'altered';
  readonly text: string;
}

/**
 * What a service may hold after a series of writes. Each write is tried and then acknowledged or refused; without an answer,
 * its id may hold the content before or after it. No two writes of one id overlap.
 */
export class Ledger {
  tried = 0;
  acknowledged = 0;
  refused = 0;
  readonly #allowed = new Map<string, readonly Content[]>();
  /** Of the writes without an answer, what their ids may have held before. */
  readonly #before = new Map<string, readonly Content[]>();

  /** Writes that never got an answer, or have none yet. */
  get unanswered(): number {
    return this.tried - this.acknowledged - this.refused;
  }

  /** What the id holds; undefined where that is not certain. */
  contentOf(id: string): Content | undefined {
    const [content = null, ...others] = this.#allowed.get(id) ?? [];
    return others.length > 0 ? undefined : content;
  }

  /** Ids with what they certainly hold. */
  present(): [id: string, content: string][] {
    return [...this.#allowed.keys()].flatMap((id) => {
      const content = this.contentOf(id);
      return typeof content === 'string' ? [[id, content]] : [];
    });
  }

  /** @param content  null for a deletion */
  try(id: string, content: Content): void {
    const before = this.#allowed.get(id) ?? [null];
    this.tried++;
    this.#before.set(id, before);
    this.#allowed.set(id, [content, ...before.filter((each) => each !== content)]);
  }

  acknowledge(id: string): void {
    if (!this.#before.delete(id)) return;
    this.acknowledged++;
    this.#allowed.set(id, [this.#allowed.get(id)![0]!]);
  }

  refuse(id: string): void {
    const before = this.#before.get(id);
    if (!before) return;
    this.#before.delete(id);
    this.refused++;
    this.#allowed.set(id, before);
  }

  /**
   * Sends a write and notes its answer; where `send` rejects, none came.
   * @param send  resolves with whether the write was done
   */
  async write(id: string, content: Content, send: () => Promise<boolean>): Promise<boolean> {
    this.try(id, content);
    const done = await send();
    if (done) this.acknowledge(id);
    else this.refuse(id);
    return done;
  }

  /** Allows that these ids hold nothing, because of damage. */
  excuse(ids: Iterable<string>): void {
    for (const id of ids) this.#allowed.set(id, [...new Set([...(this.#allowed.get(id) ?? []), null])]);
  }

  /** @param found  everything that is there */
  compare(found: ReadonlyMap<string, string>): LedgerFault[] {
    const faults: LedgerFault[] = [];
    for (const id of new Set([...this.#allowed.keys(), ...found.keys()])) {
      const content = found.get(id) ?? null;
      const allowed = this.#allowed.get(id) ?? [null];
      if (allowed.includes(content)) continue;
      const kind = content === null ? 'lost' : allowed.every((each) => each === null) ? 'ghost' : 'altered';
      const expected = allowed.map((each) => each ?? 'nothing').join(' or ');
      faults.push({ kind, text: `${id} holds ${content ?? 'nothing'}, expected ${expected}` });
    }
    return faults;
  }

  /** From here on, each id certainly holds what was found. */
  settle(found: ReadonlyMap<string, string>): void {
    this.#before.clear();
    for (const id of this.#allowed.keys()) this.#allowed.set(id, [found.get(id) ?? null]);
  }

  copy(): Ledger {
    const copy = new Ledger();
    for (const [id, allowed] of this.#allowed) copy.#allowed.set(id, allowed);
    return copy;
  }
}
