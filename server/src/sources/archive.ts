import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LARGEST_FILE, tooLargeFile } from '../decode/limits.ts';
import { openFile, versionOf } from './files.ts';
import { isPictureName } from './picture-names.ts';
import type { Item, KindSettings, Source, SourceKind } from './source.ts';
import { captureOf, contentOf, recordAt, type WarcRecord } from './warc.ts';
import { FolderPlace } from './folder.ts';

/** Bytes of a record that suffice to know what it captures. */
const BEGINNING = 16_384;
/** Bytes of a record beside the picture: headers and marks of chunks. */
const OVERHEAD_BYTES = 1_000_000;
/** Pictures whose places in archives are remembered between passes. */
const MAX_REMEMBERED = 200_000;

interface Captured {
  readonly version: string;
  readonly size: number;
  readonly path: string;
  readonly offset: number;
}

/** The pictures of an archive that has not changed since. */
interface Contents {
  readonly state: string;
  readonly captured: ReadonlyMap<string, Captured>;
}

/** Web archives (WARC), compressed or not: a file, or the files of a folder. */
export class ArchiveKind extends FolderPlace implements SourceKind {
  readonly #known = new Map<string, Contents>();

  async open({ path }: KindSettings): Promise<Source> {
    return new Archives(await this.permitted(path), this.#known);
  }

  origin(_settings: KindSettings, key: string) {
    return { address: key };
  }

  async original(_settings: KindSettings, key: string): Promise<string> {
    return key;
  }
}

class Archives implements Source {
  readonly #path: string;
  readonly #known: Map<string, Contents>;
  readonly #captured = new Map<string, Captured>();

  constructor(path: string, known: Map<string, Contents>) {
    this.#path = path;
    this.#known = known;
  }

  /** The first capture of each address, in the order of the names of the archives. */
  async *list(signal: AbortSignal): AsyncGenerator<Item> {
    for (const path of await this.#archives()) {
      for await (const [key, captured] of this.#contents(path, signal)) {
        if (this.#captured.has(key)) continue;
        this.#captured.set(key, captured);
        yield { key, version: captured.version, size: captured.size };
      }
    }
  }

  async read({ key }: Item): Promise<Uint8Array> {
    const { path, offset, size } = this.#captured.get(key)!;
    if (size > LARGEST_FILE + OVERHEAD_BYTES) throw tooLargeFile(size);
    const record = await withFile(path, (file) =>
      recordAt(file, offset, isCompressed(path), LARGEST_FILE + OVERHEAD_BYTES),
    );
    const capture = record && addressOf(record) === key ? captureOf(record) : undefined;
    if (!capture) throw new Error('the archive has changed since it was listed');
    return contentOf(capture, LARGEST_FILE);
  }

  async #archives(): Promise<string[]> {
    if (!(await lstat(this.#path)).isDirectory()) return [this.#path];
    const files = (await readdir(this.#path, { withFileTypes: true })).filter((each) => each.isFile());
    const names = files.map(({ name }) => name).filter((name) => /^[^.].*\.warc(\.gz)?$/i.test(name));
    return names.sort().map((name) => join(this.#path, name));
  }

  async *#contents(path: string, signal: AbortSignal): AsyncGenerator<readonly [string, Captured]> {
    const state = versionOf(await lstat(path, { bigint: true }));
    const known = this.#known.get(path);
    if (known?.state === state) return yield* known.captured;
    const captured = new Map<string, Captured>();
    for await (const found of capturesIn(path, signal)) {
      if (captured.has(found[0])) continue;
      captured.set(...found);
      yield found;
    }
    const remembered = [...this.#known.values()].reduce((sum, each) => sum + each.captured.size, captured.size);
    if (remembered > MAX_REMEMBERED) this.#known.clear();
    if (captured.size <= MAX_REMEMBERED) this.#known.set(path, { state, captured });
  }
}

async function* capturesIn(path: string, signal: AbortSignal): AsyncGenerator<[string, Captured]> {
  const file = await openFile(path);
  try {
    for (let offset = 0; ;) {
      signal.throwIfAborted();
      const record = await recordAt(file, offset, isCompressed(path), BEGINNING);
      if (!record) return;
      const address = addressOf(record);
      if (address !== undefined && isPicture(record, address)) {
        const digest = record.headers.get('warc-payload-digest') ?? record.headers.get('warc-block-digest');
        const size = Number(record.headers.get('content-length'));
        yield [address, { version: digest ?? `${path} ${offset}`, size, path, offset }];
      }
      offset = record.next;
    }
  } finally {
    await file.close();
  }
}

/** WARC 1.0 has angle brackets around some addresses. */
function addressOf({ headers }: WarcRecord): string | undefined {
  const text = headers.get('warc-target-uri')?.replace(/^<|>$/g, '');
  return text !== undefined && /^https?:/i.test(text) && URL.canParse(text) ? text : undefined;
}

function isPicture(record: WarcRecord, address: string): boolean {
  const capture = captureOf(record);
  if (capture?.status !== 200 || /svg/i.test(capture.type)) return false;
  return /^image\//i.test(capture.type) || (capture.type === '' && isPictureName(new URL(address).pathname));
}

function isCompressed(path: string): boolean {
  return /\.gz$/i.test(path);
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openFile(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
