import type { Explanation, ImageNumber, Verdict } from '@sosia/engine';
import { BATCH_PICTURES, MAX_VERIFIED, MAX_WORK } from './budget.ts';
import type { Comparable, Voted } from './candidate-source.ts';
import type { Hit } from './found.ts';
import { continuation, continues } from './near-duplicates.ts';

/** What the verification of a list gave. */
export interface Outcome {
  readonly matches: readonly Hit[];
  /** Whether the last picture of the list was compared. */
  readonly toTheEnd: boolean;
  /** Whether pictures behind the list were compared, since a copy may be hidden behind near-duplicates. */
  readonly beyond: boolean;
  readonly truncated: boolean;
}

/** Compares pictures with the query of one search, each once, and keeps the verdicts. */
export class Verification {
  readonly #source: Comparable;
  readonly #explain: boolean;
  /** Of the pictures that were compared; undefined for those that do not match. */
  readonly #verdicts = new Map<ImageNumber, Verdict | undefined>();
  readonly #explanations = new Map<ImageNumber, Explanation>();
  #work = 0;

  constructor(source: Comparable, explain: boolean) {
    this.#source = source;
    this.#explain = explain;
  }

  /** Copies hold the same DNA, and a verdict depends on nothing else: the verdict on one holds for all. */
  async copies(copies: readonly ImageNumber[]): Promise<Hit[]> {
    for (const copy of copies) {
      const [hit] = await this.#matching([copy]);
      if (hit) return copies.map((image) => ({ ...hit, image }));
      // removed a moment ago
    }
    return [];
  }

  /**
   * Compares from the top, a batch at a time, as long as at least half of a batch matches: a query with few near-duplicates stops early,
   * one with hundreds finds them.
   * @param further  gives pictures behind the list, for where a copy may be hidden behind near-duplicates
   */
  async others(others: readonly Voted[], further: () => Promise<readonly ImageNumber[]>): Promise<Outcome> {
    const matches: Hit[] = [];
    let queue: readonly ImageNumber[] = others.slice(0, MAX_VERIFIED).map(({ image }) => image);
    let beyond = false;
    let truncated = false;
    for (let start = 0; start < queue.length; start += BATCH_PICTURES) {
      const batch = queue.slice(start, start + BATCH_PICTURES);
      truncated = this.#work > MAX_WORK && batch.some((image) => !this.#verdicts.has(image));
      if (truncated) break;
      const hits = await this.#matching(batch);
      matches.push(...hits);
      if (beyond || 2 * hits.length >= batch.length) continue;
      const compared = start + BATCH_PICTURES;
      beyond = continues(others, compared);
      if (!beyond) break;
      const alike = continuation(others, compared).map(({ image }) => image);
      queue = [...queue.slice(0, compared), ...alike, ...(await further())].slice(0, MAX_VERIFIED);
    }
    const last = others.at(-1);
    return { matches, toTheEnd: last !== undefined && this.#verdicts.has(last.image), beyond, truncated };
  }

  async #matching(images: readonly ImageNumber[]): Promise<Hit[]> {
    const unknown = images.filter((image) => !this.#verdicts.has(image));
    if (unknown.length > 0) await this.#verify(unknown);
    return images.flatMap((image) => {
      const verdict = this.#verdicts.get(image);
      const explanation = this.#explanations.get(image);
      return verdict ? [{ ...verdict, ...(explanation && { explanation }) }] : [];
    });
  }

  async #verify(images: readonly ImageNumber[]): Promise<void> {
    for (const image of images) this.#verdicts.set(image, undefined);
    const { verdicts, effort, explanations } = await this.#source.verify(images, { explain: this.#explain });
    for (const verdict of verdicts) this.#verdicts.set(verdict.image, verdict);
    for (const { image, explanation } of explanations ?? []) this.#explanations.set(image, explanation);
    this.#work += effort;
  }
}
