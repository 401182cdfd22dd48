import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { LARGEST_FILE, tooLargeFile } from '../decode/limits.ts';
import { fail } from '../errors.ts';
import { isWithin, versionOf, whileOpen } from './files.ts';
import { isPictureName } from './picture-names.ts';
import type { FileMove, Item, KindSettings, KindValues, KnownItem, Source, SourceKind } from './source.ts';
import { moveItem } from './trash.ts';

/** A file that was written more recently may be written again within the resolution of its time. */
const SETTLED_NS = 2_000_000_000n;

/** Files that are looked at together: one after another takes five times as long. */
const AT_ONCE = 32;

/** What kinds have in common whose place is a folder of the machine of the service. */
export class FolderPlace {
  readonly #allowed: readonly string[];

  /** @param allowed  folders that may be followed, with those inside */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed;
  }

  async settings({ path }: KindValues): Promise<KindSettings> {
    if (typeof path !== 'string') throw fail('MISSING_PARAMETER', 'expected path, a folder of the service');
    if (!isAbsolute(path)) throw fail('BAD_PARAMETER', `path: expected an absolute path, got ${path}`);
    return { path: await this.permitted(path) };
  }

  place({ path }: KindSettings): string {
    return String(path);
  }

  /** The real path. Fails with SOURCE_REFUSED. */
  async permitted(path: KindSettings[string] | undefined): Promise<string> {
    const real = await realpath(String(path)).catch(() => undefined);
    for (const allowed of this.#allowed) {
      if (real !== undefined && isWithin(await realpath(allowed).catch(() => ''), real)) return real;
    }
    // whether a folder exists elsewhere is not revealed
    throw fail('SOURCE_REFUSED', `expected a folder inside those of the setting source_folders, got ${String(path)}`);
  }
}

/** Folders of the machine of the service. */
export class FolderKind extends FolderPlace implements SourceKind {
  async open({ path }: KindSettings): Promise<Source> {
    return new Folder(await this.permitted(path));
  }

  origin(_settings: KindSettings, key: string) {
    return { path: key };
  }

  async original({ path }: KindSettings, key: string): Promise<Uint8Array> {
    return contentOf(await this.permitted(path), key);
  }

  follows({ path }: KindSettings, other: KindSettings, key: string): boolean {
    return isWithin(String(path), join(String(other['path']), key));
  }

  async move({ path }: KindSettings, item: KnownItem, how: FileMove): Promise<void> {
    await moveItem(await this.permitted(path), item, how);
  }
}

export class Folder implements Source {
  readonly isListedFirst = true;
  readonly #root: string;
  readonly #isListed: (name: string) => boolean;

  /** @param isListed  which files by their names; pictures otherwise */
  constructor(root: string, isListed = isPictureName) {
    this.#root = root;
    this.#isListed = isListed;
  }

  /** Files by their suffix. Links are not followed, and hidden files and folders are left out. */
  async *list(signal: AbortSignal): AsyncGenerator<Item> {
    const faults: Error[] = [];
    yield* this.#within('', signal, faults);
    if (faults.length > 0) throw faults[0]!;
  }

  async *#within(folder: string, signal: AbortSignal, faults: Error[]): AsyncGenerator<Item> {
    signal.throwIfAborted();
    let inside: Dirent[];
    try {
      inside = await readdir(join(this.#root, folder), { withFileTypes: true });
    } catch (cause) {
      if (folder === '' || !isMissing(cause)) faults.push(cause as Error);
      return;
    }
    inside.sort((a, b) => (a.name < b.name ? -1 : 1));
    const shown = inside.filter(({ name }) => !name.startsWith('.'));
    const files = shown.filter((each) => each.isFile() && this.#isListed(each.name));
    for (let i = 0; i < files.length; i += AT_ONCE) {
      const keys = files.slice(i, i + AT_ONCE).map(({ name }) => folder + name);
      const items = await Promise.all(
        keys.map((key) => this.#item(key).catch((cause: Error) => void faults.push(cause))),
      );
      for (const item of items) if (item) yield item;
    }
    for (const each of shown) {
      if (each.isDirectory()) yield* this.#within(`${folder}${each.name}/`, signal, faults);
    }
  }

  async #item(key: string): Promise<Item | undefined> {
    const stat = await lstat(join(this.#root, key), { bigint: true }).catch(unlessMissing);
    if (!stat?.isFile()) return undefined;
    const age = BigInt(Date.now()) * 1_000_000n - stat.mtimeNs;
    const isSettled = age < 0n || age >= SETTLED_NS;
    return { key, version: isSettled ? versionOf(stat) : null, size: Number(stat.size) };
  }

  read({ key, version }: Item): Promise<Uint8Array> {
    return contentOf(this.#root, key, version);
  }
}

/** @param listed  the version to read; otherwise that of now */
function contentOf(root: string, key: string, listed?: string | null): Promise<Uint8Array> {
  return whileOpen(root, key, listed, (file, size) => {
    if (size > LARGEST_FILE) throw tooLargeFile(size);
    return file.readFile();
  });
}

/** Whether a file or folder was removed since it was listed. */
function isMissing(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'ENOENT';
}

function unlessMissing(cause: unknown): undefined {
  if (!isMissing(cause)) throw cause;
}
