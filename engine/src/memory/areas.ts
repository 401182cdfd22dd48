import type { Steps } from '../steps.ts';
import { MAX_PIECE_BYTES, type Section, SnapshotError, WRITTEN_SECTION } from './section.ts';

/** A stretch of memory that is a section of a snapshot: read when one is made, written when one is restored. */
export interface Area {
  readonly name: string;
  /** In bytes. */
  readonly length: number;
  /** Made anew for each piece, since memory may have moved. */
  readonly view: (from: number, to: number) => Uint8Array;
  /** Of its sections. */
  readonly part?: string | undefined;
}

/** An array that does not change meanwhile. */
export function areaOf(name: string, { buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Area {
  return {
    name,
    length: byteLength,
    view: (from, to) => new Uint8Array(buffer, byteOffset + from, to - from),
  };
}

/** The areas piece by piece. An empty one has one piece. @param written  parts of which one section is enough */
export function* sectionsOf(
  areas: Iterable<Area>,
  written: ReadonlySet<string> = new Set(),
): Generator<Section, void, undefined> {
  let named: string | undefined;
  for (const { name, length, view, part } of areas) {
    if (part !== undefined && written.has(part)) {
      if (part !== named) yield { name: WRITTEN_SECTION, bytes: new Uint8Array(), part };
      named = part;
      continue;
    }
    let from = 0;
    do {
      const to = Math.min(length, from + MAX_PIECE_BYTES);
      yield { name, bytes: view(from, to), part };
      from = to;
    } while (from < length);
  }
}

/** Writes the sections of a snapshot into areas, in the order in which they were read. */
export class SectionReader {
  readonly #pieces: Iterator<Section>;
  /** The piece that is being copied, and how much of it has been. */
  #piece: Section | undefined;
  #used = 0;

  constructor(sections: Iterable<Section>) {
    this.#pieces = sections[Symbol.iterator]();
    this.#next();
  }

  /** That of the next section. */
  get part(): string | undefined {
    return this.#piece?.part;
  }

  /** Copies one section, piece by piece. */
  *fill({ name, length, view }: Area): Steps<void> {
    let from = 0;
    do {
      if (this.#piece?.name !== name) {
        throw new SnapshotError(
          `${this.#piece ? `section ${this.#piece.name}` : 'no section'}, expected more of ${name}`,
        );
      }
      const part = this.#piece.bytes.subarray(this.#used, this.#used + Math.min(length - from, MAX_PIECE_BYTES));
      view(from, from + part.length).set(part);
      from += part.length;
      this.#used += part.length;
      if (this.#used === this.#piece.bytes.length) this.#next();
      yield;
    } while (from < length);
  }

  /** A section of so many numbers. */
  *numbers(name: string, count: number): Steps<Uint32Array<ArrayBuffer>> {
    const numbers = new Uint32Array(count);
    yield* this.fill(areaOf(name, numbers));
    return numbers;
  }

  /** Throws unless all sections have been read. */
  end(): void {
    if (this.#piece) throw new SnapshotError(`unexpected section ${this.#piece.name}`);
  }

  #next(): void {
    const { done, value } = this.#pieces.next() as IteratorResult<Section, undefined>;
    this.#piece = done ? undefined : value;
    this.#used = 0;
  }
}
