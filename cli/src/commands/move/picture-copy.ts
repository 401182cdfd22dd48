import { counted, logLine } from '../../terminal/output.ts';
import { type Copying, digestOf, type Version } from './storage.ts';

/** A line of progress for so many pictures. */
const REPORTED = 5000;

/** The pictures of an application and their copies, which follow them. */
export class PictureCopy {
  readonly #copying: Copying;
  /** Of the copies, by id. */
  readonly #digests = new Map<string, string>();
  /** Ids of the copies by the versions that were copied; undefined where the picture cannot be read. */
  readonly #copied = new Map<number, string | undefined>();

  constructor(copying: Copying) {
    this.#copying = copying;
  }

  get count(): number {
    return this.#digests.size;
  }

  /** Copies what the target has not yet, and compares all of it. May be repeated. */
  async all(): Promise<void> {
    const present = await this.#present();
    for await (const batch of this.#copying.source.pictures(this.#copying.from)) {
      const before = this.count;
      await this.#put(batch, present);
      if (Math.floor(this.count / REPORTED) > Math.floor(before / REPORTED))
        logLine(`${this.#copying.from.name}: ${counted(this.count, 'picture')} so far`);
    }
    await this.#remove([...present.keys()].filter((id) => !this.#digests.has(id)));
    this.#requireEqual(this.#digests, await this.#present());
  }

  /** Copies what has changed since the last call, and compares it. May be repeated. */
  async changes(): Promise<void> {
    const versions = await this.#copying.source.versions(this.#copying.from);
    if (!versions) return;
    const now = new Set(versions);
    const added = [...now].filter((version) => !this.#copied.has(version));
    const ended = [...this.#copied].filter(([version]) => !now.has(version));
    const written = new Set<string>();
    for await (const batch of this.#copying.source.pictures(this.#copying.from, added)) {
      await this.#put(batch);
      for (const { picture } of batch) written.add(picture.id);
    }
    for (const version of added) if (!this.#copied.has(version)) this.#copied.set(version, undefined);
    for (const [version] of ended) this.#copied.delete(version);
    const left = new Set(ended.length > 0 ? this.#copied.values() : []);
    const removed = ended.flatMap(([, id]) => (id === undefined || left.has(id) ? [] : id));
    await this.#remove(removed);
    const expected = Array.from(written, (id): [string, string] => [id, this.#digests.get(id)!]);
    this.#requireEqual(new Map(expected), await this.#present([...written, ...removed]));
  }

  /** @param present  copies by id; those that are equal are not written again */
  async #put(batch: readonly Version[], present?: ReadonlyMap<string, string>): Promise<void> {
    const digests = batch.map(({ picture }) => digestOf(picture));
    this.#copying.checkLease();
    await this.#copying.target.put(
      this.#copying.to,
      batch.flatMap(({ picture }, i) => (present?.get(picture.id) === digests[i] ? [] : picture)),
    );
    for (const [i, { version, picture }] of batch.entries()) {
      this.#digests.set(picture.id, digests[i]!);
      this.#copied.set(version, picture.id);
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    this.#copying.checkLease();
    await this.#copying.target.remove(this.#copying.to, ids);
    for (const id of ids) this.#digests.delete(id);
  }

  /** Digests of copies by id. @param ids  of those that are read, all by default */
  async #present(ids?: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const batch of this.#copying.target.pictures(this.#copying.to, ids))
      for (const picture of batch) found.set(picture.id, digestOf(picture));
    return found;
  }

  #requireEqual(expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): void {
    const differing = [...expected].filter(([id, digest]) => found.get(id) !== digest).map(([id]) => id);
    const additional = [...found.keys()].filter((id) => !expected.has(id));
    if (differing.length + additional.length === 0) return;
    const some = [...differing, ...additional].slice(0, 5).join(', ');
    throw new Error(
      `${this.#copying.from.name}: ${counted(differing.length, 'picture')} missing or different in ${this.#copying.target.name}, ${additional.length} additional there: ${some}`,
    );
  }
}
