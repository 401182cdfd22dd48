import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Section, WRITTEN_SECTION } from '@sosia/engine';
import { sectionsIn, SectionFileError, SectionWriter, type Piece } from './section-file.ts';

/** A file with a partition, as its catalogue names it. */
export interface PartitionFile {
  readonly path: string;
  /** Of the last piece, see `SectionWriter`. */
  readonly checksum: number;
  /** The files of its parts. */
  readonly parts: readonly PartFile[];
}

/** A file with a part of a partition, which later ones of the partition name again as long as the part does not change. */
export interface PartFile {
  readonly part: string;
  readonly file: string;
  readonly checksum: number;
}

/** A piece that names the file of a part, as JSON, in the place of its sections. */
const PART = 'part-file';

/** Writes a partition: each part that is not written yet to a file of its own, all else and the names of those files to one. */
export class PartitionFileWriter {
  readonly #path: string;
  readonly #main: SectionWriter;
  readonly #written: ReadonlyMap<string, PartFile>;
  readonly #parts: PartFile[] = [];
  readonly #made: string[] = [];
  #part: { readonly name: string; readonly file: SectionWriter } | undefined;

  private constructor(path: string, main: SectionWriter, written: readonly PartFile[]) {
    this.#path = path;
    this.#main = main;
    this.#written = new Map(written.map((each) => [each.part, each]));
  }

  /** @param written  parts in the same folder */
  static async create(path: string, written: readonly PartFile[]): Promise<PartitionFileWriter> {
    return new PartitionFileWriter(path, await SectionWriter.create(path), written);
  }

  /** The bytes are read before this returns its promise. Each call waits for the one before. */
  write({ name, bytes, part }: Section): Promise<void> {
    if (part === this.#part?.name) return (this.#part?.file ?? this.#main).write({ name, bytes });
    const copy = bytes.slice();
    return this.#change(part).then(() => {
      if (part !== undefined && name === WRITTEN_SECTION) return this.#name(this.#written.get(part)!);
      return (this.#part?.file ?? this.#main).write({ name, bytes: copy });
    });
  }

  /** Makes all files durable under their own names. */
  async finish(): Promise<PartitionFile> {
    await this.#change(undefined);
    return { path: this.#path, checksum: await this.#main.finish(), parts: this.#parts };
  }

  /** Removes what was written, instead of `finish`. */
  async abandon(): Promise<void> {
    await this.#part?.file.abandon();
    await this.#main.abandon();
    await Promise.all(this.#made.map((path) => rm(path, { force: true }).catch(() => {})));
  }

  /** Ends the file of one part and begins that of another. */
  async #change(part: string | undefined): Promise<void> {
    if (this.#part) {
      const { name, file } = this.#part;
      this.#part = undefined;
      const checksum = await file.finish();
      this.#made.push(file.path);
      await this.#name({ part: name, file: basename(file.path), checksum });
    }
    if (part === undefined || this.#written.has(part)) return;
    this.#part = { name: part, file: await SectionWriter.create(`${this.#path}.part-${part}`) };
  }

  #name(part: PartFile): Promise<void> {
    this.#parts.push(part);
    return this.#main.write({ name: PART, bytes: Buffer.from(JSON.stringify(part)) });
  }
}

/**
 * The sections of a partition in their order, those of its parts in their places; as `sectionsIn` gives them.
 * @returns the parts
 * @throws SectionFileError for a damaged file, or one with another checksum
 */
export function* partitionSections({ path, checksum }: Omit<PartitionFile, 'parts'>): Generator<Section, PartFile[]> {
  const parts: PartFile[] = [];
  yield* checked(path, checksum, function* (piece) {
    if (piece.name !== PART) {
      yield piece;
      return;
    }
    const part = JSON.parse(Buffer.from(piece.bytes).toString()) as PartFile;
    parts.push(part);
    yield* checked(join(dirname(path), basename(part.file)), part.checksum, function* (own) {
      yield { ...own, part: part.part };
    });
  });
  return parts;
}

function* checked(path: string, checksum: number, sections: (piece: Piece) => Iterable<Section>): Generator<Section> {
  const pieces = sectionsIn(path);
  try {
    let next = pieces.next();
    for (; !next.done; next = pieces.next()) yield* sections(next.value);
    if (next.value === checksum) return;
    throw new SectionFileError(`expected the checksum ${checksum} of ${basename(path)}, found ${next.value}`);
  } finally {
    pieces.return(0);
  }
}
