import { useEffect, useState } from 'preact/hooks';

/** A value with a longer life than the views that show it. `@preact/signals` would add 2.8 KB to the script. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, set] = useState(store.value);
  useEffect(() => {
    set(store.value);
    return store.subscribe(set);
  }, [store]);
  return value;
}
