/** Bytes that all records kept by a thread take at most. */
const MOST_BYTES = 64 * 2 ** 20;

let keptBytes = 0;
/** Those that keep records, the one that was used longest ago first. */
const inUse = new Set<KeptRecords>();

/**
 * Beginnings of records that were read from a file and checked, so that a small application does not read its file for each search.
 * Where there is no room, another file that was not used for longer loses all of its own.
 */
export class KeptRecords {
  readonly #byAddress = new Map<number, Uint8Array>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** To be called before a search reads. */
  use(): void {
    if (inUse.delete(this)) inUse.add(this);
  }

  /** @returns the bytes, if so many are kept */
  beginning(address: number, length: number): Uint8Array | undefined {
    const kept = this.#byAddress.get(address);
    return kept && kept.length >= length ? kept.subarray(0, length) : undefined;
  }

  keep(address: number, beginning: Uint8Array): void {
    this.drop(address);
    for (const other of inUse) {
      if (keptBytes + beginning.length <= MOST_BYTES || other === this) break;
      other.clear();
    }
    if (keptBytes + beginning.length > MOST_BYTES) return;
    inUse.add(this);
    this.#byAddress.set(address, beginning.slice());
    this.#count(beginning.length);
  }

  drop(address: number): void {
    this.#count(-(this.#byAddress.get(address)?.length ?? 0));
    this.#byAddress.delete(address);
  }

  clear(): void {
    this.#byAddress.clear();
    this.#count(-this.#bytes);
    inUse.delete(this);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    keptBytes += bytes;
  }
}
