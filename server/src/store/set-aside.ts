import type { Damage } from './store.ts';

/** The damaged pictures of each application that were found and not removed since. */
export class SetAside {
  readonly #damages = new Map<number, Damage[]>();

  /** Damage that concerns no picture, or a known picture, has no effect. */
  add(damage: Damage): void {
    const { application, number, numbers, records } = damage;
    if (application === undefined || (number === undefined && !numbers) || records === 0) return;
    const known = this.of(application);
    const again = known.some((it) => it.number === number && it.numbers?.from === numbers?.from);
    if (!again) this.#damages.set(application, [...known, damage]);
  }

  /** Each picture, or range of pictures, once. */
  of(application: number): readonly Damage[] {
    return this.#damages.get(application) ?? [];
  }

  remove(application: number, number: number): void {
    const others = this.of(application).filter((damage) => damage.number !== number);
    this.#damages.set(application, others);
  }
}
