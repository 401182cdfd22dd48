import type { MatchCount, MatchOrder } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Match } from '../applications/references.ts';
import { bodyOf, recordsNumber, remove, valueIn, valueOf } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { SharedRecords } from '../store/store.ts';
import { kinds } from './stored.ts';

/** Milliseconds after which counts are stored. */
const STORING_MS = 60_000;
/** Pictures whose counts are in memory at most; then they are stored at once. */
const MAX_COUNTED_PICTURES = 5000;
/** Records that one commit writes. */
const RECORDS_PER_COMMIT = 500;

type Count = Omit<MatchCount, 'id'>;

const none: Count = { found: 0, clone: 0, match: 0, similar: 0, other: 0, last: '' };

/** How often the references of each application were found. Only counts that are not stored yet are in memory. */
export class MatchCounts {
  readonly #records: SharedRecords;
  readonly #failed: (cause: unknown) => void;
  /** By the number of the records, then by id. */
  #fresh = new Map<number, Map<string, Count>>();
  #size = 0;
  #due: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  /** @param failed  called where counts could not be stored, which are lost */
  constructor(records: SharedRecords, failed: (cause: unknown) => void) {
    this.#records = records;
    this.#failed = failed;
  }

  /** For the pictures of one answer. */
  note(application: Application, images: readonly Match[], now = new Date()): void {
    if (images.length === 0 || !application.takesChanges) return;
    const number = recordsNumber(application);
    const counts = this.#fresh.get(number) ?? new Map<string, Count>();
    this.#fresh.set(number, counts);
    const last = now.toISOString();
    for (const { id, resultInfo } of images) {
      const field = fieldOf(resultInfo);
      if (!field) continue;
      const known = counts.get(id);
      if (!known) this.#size++;
      counts.set(id, sum(known ?? none, { ...none, found: 1, [field]: 1, last }));
    }
    if (this.#size >= MAX_COUNTED_PICTURES) void this.save();
    else this.#due ??= setTimeout(() => void this.save(), STORING_MS).unref();
  }

  /** Stores what is counted so far. */
  save(): Promise<void> {
    clearTimeout(this.#due);
    this.#due = undefined;
    const fresh = this.#fresh;
    this.#fresh = new Map();
    this.#size = 0;
    if (fresh.size > 0) this.#storing = this.#storing.then(() => this.#store(fresh)).catch(this.#failed);
    return this.#storing;
  }

  /** Drops the counts of a deleted application that are not stored. */
  forget(number: number): void {
    this.#size -= this.#fresh.get(number)?.size ?? 0;
    this.#fresh.delete(number);
  }

  /** Those of pictures that exist. */
  async list(
    application: Application,
    { ids, order, start, count }: { ids?: readonly string[]; order: MatchOrder; start: number; count: number },
  ): Promise<{ found: number; images: MatchCount[] }> {
    const records = this.#records;
    if (!application.traits.references)
      throw fail('DOES_NOT_APPLY', `matches of ${application.traits.title} applications`);
    await this.save();
    const number = recordsNumber(application);
    const stored = ids
      ? (await Promise.all(ids.map((id) => records.record(number, kinds.matches, id)))).flatMap((each) => each ?? [])
      : await records.records(number, kinds.matches);
    const left: MatchCount[] = [];
    const former: string[] = [];
    const present = await application.references.present(stored.map(({ id }) => id));
    for (const record of stored) {
      if (present.has(record.id)) left.push({ id: record.id, ...valueOf<Count>(record) });
      else former.push(record.id);
    }
    for (const ended of batches(former)) {
      await records.changeRecords(
        number,
        ended.map((id) => remove(kinds.matches, id)),
      );
    }
    left.sort((a, b) => inOrder(a, b, order));
    return { found: left.length, images: left.slice(start, start + count) };
  }

  async #store(fresh: ReadonlyMap<number, ReadonlyMap<string, Count>>): Promise<void> {
    for (const [number, counts] of fresh) {
      for (const ids of batches([...counts.keys()])) {
        await this.#records.update(number, kinds.matches, ids, (id, known) =>
          bodyOf(sum(known ? valueIn<Count>(known) : none, counts.get(id)!)),
        );
      }
    }
  }
}

/** Undefined where the pictures do not match. */
function fieldOf(resultInfo: Match['resultInfo']): 'clone' | 'match' | 'similar' | 'other' | undefined {
  if (!resultInfo || !('decision' in resultInfo)) return 'other';
  const { decision } = resultInfo;
  if (decision === 'Clone') return 'clone';
  if (decision === 'Match') return 'match';
  return decision === 'Similar' ? 'similar' : undefined;
}

function sum(one: Count, other: Count): Count {
  return {
    found: one.found + other.found,
    clone: one.clone + other.clone,
    match: one.match + other.match,
    similar: one.similar + other.similar,
    other: one.other + other.other,
    last: one.last > other.last ? one.last : other.last,
  };
}

function inOrder(a: MatchCount, b: MatchCount, order: MatchOrder): number {
  const last = a.last === b.last ? 0 : a.last > b.last ? -1 : 1;
  return (order === 'last' ? last : b.found - a.found) || b.found - a.found || last || (a.id < b.id ? -1 : 1);
}

function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / RECORDS_PER_COMMIT) }, (_, i) =>
    all.slice(RECORDS_PER_COMMIT * i, RECORDS_PER_COMMIT * (i + 1)),
  );
}
