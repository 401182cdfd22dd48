/** A text that this browser stores; without storage it is kept as long as the page. */
export class StoredText {
  readonly #name: string;
  readonly #storage: () => Storage;
  #text = '';

  constructor(name: string, storage = (): Storage => localStorage) {
    this.#name = name;
    this.#storage = storage;
    try {
      this.#text = storage().getItem(name) ?? '';
    } catch {
      // the browser stores nothing
    }
  }

  /** Empty until it is set. */
  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    try {
      this.#storage().setItem(this.#name, text);
    } catch {
      // the browser stores nothing
    }
  }
}
