import type { ReferenceRecords } from './records.ts';

/** Records that end with the process. A place is that in a list. */
export class RecordsInMemory implements ReferenceRecords {
  readonly #records: (Uint8Array | undefined)[] = [];
  readonly #free: number[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  put(record: Uint8Array): number {
    const place = this.#free.pop() ?? this.#records.length;
    this.#records[place] = record.slice();
    this.#bytes += record.length;
    return place;
  }

  read(places: Float64Array, lengths: Uint32Array, into: Uint8Array): void {
    let at = 0;
    for (let i = 0; i < places.length; i++) {
      const record = this.#records[places[i]];
      if (!record || record.length < lengths[i])
        throw new RangeError(`no record of ${lengths[i]} bytes at ${places[i]}`);
      into.set(lengths[i] === record.length ? record : record.subarray(0, lengths[i]), at);
      at += lengths[i];
    }
  }

  remove(place: number): void {
    const record = this.#records[place];
    if (!record) throw new RangeError(`no record at ${place}`);
    this.#bytes -= record.length;
    this.#records[place] = undefined;
    this.#free.push(place);
  }
}
