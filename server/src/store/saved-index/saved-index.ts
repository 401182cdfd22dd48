import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SNAPSHOT_VERSION, type ApplicationType, type NetworkIdentity } from '@sosia/engine';
import { fileNames, makeFolder } from '../folder.ts';
import type { Generation, Identity } from '../identity.ts';
import type { PartFile, PartitionFile } from './partition-file.ts';
import { sectionsIn, SectionFileError, SectionWriter, type Piece } from './section-file.ts';

/**
 * The saved index of a data folder, in a folder of its own: for each application a file with its catalogue, and one for each
 * search thread with its partition, some with further ones for parts that change rarely, or for records. The catalogue names the partitions that belong to it, and is replaced last. The store stays
 * the only truth: a file that is missing, damaged, older or foreign costs time at the next start, and nothing else.
 */
export class SavedIndexes {
  readonly #folder: string;
  #last: Promise<unknown> = Promise.resolve();

  /** @param data  the data folder */
  constructor(data: string) {
    this.#folder = join(data, fileNames.index);
  }

  /** Whether any index is saved. */
  get any(): boolean {
    return this.#names().some((name) => name.endsWith(CATALOGUE));
  }

  /** Runs one work at a time, so that several applications do not fill the disk and its queue together. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * The saved index of an application.
   * @throws Error that states why it cannot be used
   */
  read(application: number, expected: Expected): SavedIndex | undefined {
    if (!this.#names().includes(catalogueOf(application))) return undefined;
    const catalogue = sectionsIn(join(this.#folder, catalogueOf(application)));
    try {
      const header = headerIn(catalogue);
      requireFitting(header, application, expected);
      const pathOf = (file: string): string => join(this.#folder, basename(file));
      return {
        partitions: header.partitions.map(({ file, checksum, parts, records }) => ({
          path: pathOf(file),
          checksum,
          parts,
          ...(records && { records: { path: pathOf(records.file), end: records.end } }),
        })),
        catalogue,
      };
    } catch (cause) {
      catalogue.return(0);
      throw cause;
    }
  }

  /**
   * Writes the index of an application in place of an earlier one.
   * @param partitions  writes those of the application to the given paths
   * @param catalogue   its sections; undefined is a pause
   * @param pause       lets other work go on
   * @returns whether it was written: some types have none
   */
  async write(
    application: number,
    { type, network, identity }: Expected,
    parts: {
      readonly partitions: (pathOf: (shard: number) => string) => Promise<readonly SavedFile[] | undefined>;
      readonly catalogue: () => Iterable<Piece | undefined>;
      readonly pause: () => Promise<unknown>;
    },
  ): Promise<boolean> {
    makeFolder(this.#folder);
    const mark = randomBytes(8).toString('hex');
    const nameOf = (shard: number): string => `${application}-${mark}.shard-${shard}`;
    let file: SectionWriter | undefined;
    try {
      const partitions = await parts.partitions((shard) => join(this.#folder, nameOf(shard)));
      if (!partitions) return false;
      file = await SectionWriter.create(join(this.#folder, catalogueOf(application)));
      const header: Header = {
        version: VERSION,
        engine: SNAPSHOT_VERSION,
        application,
        type,
        network,
        folder: identity.folder,
        generation: identity.generation,
        partitions: partitions.map(({ path, checksum, parts, records }) => ({
          file: basename(path),
          checksum,
          parts,
          records: records && { file: basename(records.path), end: records.end },
        })),
      };
      await file.write({ name: HEADER, bytes: Buffer.from(JSON.stringify(header)) });
      for (const piece of parts.catalogue()) await (piece ? file.write(piece) : parts.pause());
      await file.finish();
      file = undefined;
      const named = header.partitions.flatMap(({ file, parts, records }) => [
        ...[file, ...parts.map((part) => part.file)],
        ...(records ? [records.file] : []),
      ]);
      await this.#keepOnly(application, [catalogueOf(application), ...named]);
      return true;
    } catch (cause) {
      await file?.abandon();
      await this.#removeAll((name) => name.startsWith(`${application}-${mark}.`));
      throw cause;
    }
  }

  /** New paths for the records of an application, by search thread. */
  recordsOf(application: number): (shard: number) => string {
    const mark = randomBytes(8).toString('hex');
    return (shard) => join(this.#folder, `${application}-${mark}.records-${shard}`);
  }

  /** Removes the index of an application. */
  remove(application: number): Promise<void> {
    return this.#keepOnly(application, []);
  }

  /** Removes all other files of an application, such as those of a writing that was interrupted. */
  async #keepOnly(application: number, names: readonly string[]): Promise<void> {
    await this.#removeAll((name) => applicationOf(name) === application && !names.includes(name));
  }

  async #removeAll(isSurplus: (name: string) => boolean): Promise<void> {
    await Promise.all(
      this.#names()
        .filter(isSurplus)
        .map((name) => rm(join(this.#folder, name), { force: true }).catch(() => {})),
    );
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }
}

/**
 * The partitions that a catalogue names; undefined without a catalogue.
 * @throws Error for a damaged one
 */
export function namedIn(path: string): Header['partitions'] | undefined {
  if (!existsSync(path)) return undefined;
  const pieces = sectionsIn(path);
  try {
    return headerIn(pieces).partitions;
  } finally {
    pieces.return(0);
  }
}

function headerIn(pieces: Generator<Piece, number, undefined>): Header {
  const head = pieces.next();
  if (head.done || head.value.name !== HEADER) throw new SectionFileError('expected a header');
  return JSON.parse(Buffer.from(head.value.bytes).toString()) as Header;
}

/** What a saved index must agree with. */
export interface Expected {
  readonly type: ApplicationType;
  readonly network?: NetworkIdentity | undefined;
  /** Of images.db. */
  readonly identity: Pick<Identity, 'folder' | 'generation'>;
}

export interface SavedIndex {
  /** By search thread. */
  readonly partitions: readonly SavedFile[];
  /** To be read to the end, since only then it is known to be whole. */
  readonly catalogue: Generator<Piece, number, undefined>;
}

/** The first piece of a catalogue, as JSON. */
interface Header {
  readonly version: number;
  readonly engine: number;
  readonly application: number;
  readonly type: ApplicationType;
  readonly network?: NetworkIdentity | undefined;
  readonly folder: string;
  readonly generation: Generation;
  readonly partitions: readonly NamedFile[];
}

/** A partition in files, and the file of its records up to their end. */
interface SavedFile extends PartitionFile {
  readonly records?: { readonly path: string; readonly end: number };
}

/** The same without the folder. */
interface NamedFile {
  readonly file: string;
  readonly checksum: number;
  readonly parts: readonly PartFile[];
  readonly records?: { readonly file: string; readonly end: number } | undefined;
}

/** Raised by any change of the files. The engine has a version of its own for the sections of partitions. */
const VERSION = 1;
const HEADER = 'header';
const CATALOGUE = '.catalogue';

const catalogueOf = (application: number): string => `${application}${CATALOGUE}`;

/** NaN for a name that is none of a saved index. */
function applicationOf(name: string): number {
  return Number(
    /^(\d+)(?:-[0-9a-f]{16}\.(?:shard|records)-\d+(?:\.part-[\d-]+)?|\.catalogue)(?:\.draft)?$/.exec(name)?.[1] ?? NaN,
  );
}

function requireFitting(header: Header, application: number, { type, network, identity }: Expected): void {
  const { folder, generation } = identity;
  requireEqual('version', header.version, VERSION);
  requireEqual('version of the engine', header.engine, SNAPSHOT_VERSION);
  requireEqual('application', header.application, application);
  requireEqual('type', header.type, type);
  requireEqual('network', JSON.stringify(header.network), JSON.stringify(network));
  requireEqual('folder', header.folder, folder);
  const { count, nonce } = header.generation;
  if (count > generation.count || (count === generation.count && nonce !== generation.nonce)) {
    throw new Error(`expected generation ${generation.count} of the data folder or an earlier one, found ${count}`);
  }
}

function requireEqual<T>(what: string, found: T, expected: T): void {
  if (found !== expected) throw new Error(`expected the ${what} ${String(expected)}, found ${String(found)}`);
}
