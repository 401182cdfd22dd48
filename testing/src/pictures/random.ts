/** A seeded stream of numbers in [0, 1): chance that repeats itself. */
export interface Random {
  (): number;
}

/**
 * Mulberry32 (T. Ettinger, 2017) started from the text: every purpose has a stream of its own, which does not change
 * when another one draws more.
 */
export function randomFor(...purpose: readonly (string | number)[]): Random {
  let state = fnv1a(purpose.join('\0'));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

/** A normal deviate of mean 0 and deviation 1 (Box and Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A new order of the same things (Fisher and Yates). */
export function shuffled<T>(random: Random, things: readonly T[]): T[] {
  const order = [...things];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
