import { randomBytes } from 'node:crypto';
import type { FileChanges, FileChoice, Origin } from '@sosia/contract';
import type { Application, PictureFile, PictureFiles } from '../applications/application.ts';
import { put, recordsNumber, valueOf } from '../applications/records.ts';
import { fail, Failure, unless } from '../errors.ts';
import { inOneProcess } from '../store/one-process.ts';
import type { StoredRecord } from '../store/store.ts';
import { Entries, type Entry } from './entries.ts';
import { changesOf, planOf, type Changes } from './plan.ts';
import { newState, POLL_MS, Schedule, type Known, type ScheduleParts } from './schedule.ts';
import type { FileMove } from './source.ts';
import { kinds, type Definition, type State } from './stored.ts';
import { Pause } from '../workers/pause.ts';

/** Milliseconds in which a dry run lists what it can. */
const PREVIEW_MS = 8000;

/** The lease of the process that follows all sources. */
const LEASE = 'sources';

/** How the next pass would change the application. */
export interface Preview extends Changes {
  /** Why the listing is not whole, or empty. */
  readonly fault: string;
}

export type NewSource = Omit<Definition, 'request' | 'agreed' | 'leaving'>;

export interface SourcesParts extends Omit<ScheduleParts, 'left'> {
  readonly applications: () => readonly Application[];
}

/** The sources of all applications. One process follows them; any process lists and changes them. */
export class Sources implements PictureFiles {
  readonly #parts: SourcesParts;
  readonly #schedule: Schedule;
  readonly #known = new Map<string, Known>();
  readonly #closed = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  readonly #nextLook = new Pause();
  /** Whether what is stored was read. */
  #isRead = false;

  constructor(parts: SourcesParts) {
    this.#parts = parts;
    this.#schedule = new Schedule({ ...parts, left: (id) => this.#known.delete(id) });
  }

  get kinds(): SourcesParts['kinds'] {
    return this.#parts.kinds;
  }

  /** Begins to follow what is stored. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#loop = this.#follow();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#nextLook.end();
    await this.#loop;
  }

  /** Those of an application, or of all; by name. */
  async list(application?: Application): Promise<Known[]> {
    if (this.#parts.records.shared) await this.#refresh();
    const all = application ? this.#of(application) : [...this.#known.values()];
    return all.sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  }

  /** By name or id. Fails with UNKNOWN_SOURCE. */
  async get(application: Application, selector: string): Promise<Known> {
    const all = await this.list(application);
    const found = all.find(({ definition }) => definition.name === selector) ?? all.find(({ id }) => id === selector);
    if (!found || found.definition.leaving) throw fail('UNKNOWN_SOURCE', selector);
    return found;
  }

  /** Fails with SOURCE_NAME_TAKEN. */
  async create(application: Application, given: NewSource): Promise<Known> {
    const { traits } = application;
    if (!traits.references) throw fail('DOES_NOT_APPLY', `sources of ${traits.title} applications`);
    const all = await this.list(application);
    if (all.some(({ definition }) => definition.name === given.name)) throw fail('SOURCE_NAME_TAKEN', given.name);
    const id = randomBytes(8).toString('hex');
    const definition: Definition = { ...given, request: { number: 0, retry: false } };
    const state = newState(application);
    const changes = [put(kinds.definition, id, definition), put(kinds.state, id, state)];
    await this.#parts.records.changeRecords(recordsNumber(application), changes);
    const known = { id, application, definition, state };
    this.#known.set(id, known);
    this.#nextLook.end();
    return known;
  }

  /** Durable once resolved; the process that follows the source heeds it soon. */
  async change(source: Known, change: (definition: Definition) => Partial<Definition>): Promise<void> {
    const { application, id } = source;
    let definition = source.definition;
    await this.#parts.records.update(recordsNumber(application), kinds.definition, [id], (_, body) => {
      if (!body) throw fail('UNKNOWN_SOURCE', definition.name);
      const stored = valueOf<Definition>({ id, version: 0, body });
      definition = { ...stored, ...change(stored) };
      return put(kinds.definition, id, definition).body!;
    });
    source.definition = definition;
    this.#nextLook.end();
  }

  /** Lists the source as the next pass would, as far as that is possible within some seconds. */
  async preview(application: Application, definition: NewSource, retry = false, id?: string): Promise<Preview> {
    const source = await this.#parts.kinds[definition.kind].open(definition.settings);
    const known = id === undefined ? new Map<string, Entry>() : await this.#entries(application, id).all();
    const limit = AbortSignal.timeout(PREVIEW_MS);
    try {
      const inTime = {
        list: (signal: AbortSignal) => source.list(AbortSignal.any([limit, signal]), known),
        get isPartial() {
          return source.isPartial ?? false;
        },
      };
      const options = { prefix: definition.prefix, retry, signal: this.#closed.signal };
      const plan = await planOf(inTime, known, options);
      const fault = limit.aborted
        ? `the listing ended after ${PREVIEW_MS / 1000} s; there may be more pictures`
        : (plan.fault?.message ?? '');
      return { ...changesOf(plan), fault };
    } finally {
      await source.close?.();
    }
  }

  /** The pictures that could not be read, by image_id. */
  async failures({ application, id }: Known): Promise<[image: string, entry: Entry][]> {
    return [...(await this.#entries(application, id).all())].filter(([, { fault }]) => fault);
  }

  /** Where pictures come from; those without a source are missing. */
  async originsOf(application: Application, ids: readonly string[]): Promise<ReadonlyMap<string, Origin>> {
    const found = new Map<string, Origin>();
    const find = async (id: string): Promise<void> => {
      const { definition, entry } = (await this.#bringerOf(application, id)) ?? {};
      if (!definition) return;
      const { name, kind, settings, writable } = definition;
      const place = this.#parts.kinds[kind].origin(settings, entry!.key);
      found.set(id, { source: name, kind, ...place, ...(writable && { writable }) });
    };
    await Promise.all(ids.map(find));
    return found;
  }

  /** As `SourceKind.original`. Fails with UNKNOWN_IMAGE, or with NOT_FETCHED where the picture cannot be read. */
  async original(application: Application, id: string): Promise<string | Uint8Array> {
    const { definition, entry } = (await this.#bringerOf(application, id)) ?? {};
    if (!definition) throw fail('UNKNOWN_IMAGE', id);
    try {
      return await this.#parts.kinds[definition.kind].original(definition.settings, entry!.key);
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw fail('NOT_FETCHED', `the original of ${id} cannot be read`);
    }
  }

  async fileOf(application: Application, id: string): Promise<PictureFile | undefined> {
    if (this.#parts.records.shared) await this.#refresh(); // another process may have changed which files may go
    const { source, definition, entry } = (await this.#bringerOf(application, id)) ?? {};
    return definition?.writable ? { source: source!, entry: entry! } : undefined;
  }

  /** The file goes before the picture, and the entry last: of what a kill leaves, the next pass removes the picture. */
  async remove(application: Application, id: string, choice: Exclude<FileChoice, 'keep'>): Promise<FileChanges> {
    const { references } = application;
    if (!(await references.has(id))) throw fail('IMAGE_NOT_FOUND', id);
    const [file, details] = await Promise.all([this.fileOf(application, id), references.details(id)]);
    const fault = file && (await this.#move(application, file, choice, details?.bytes));
    await unless('IMAGE_NOT_FOUND', references.delete(id)); // a pass may have seen that the file is away
    if (!file) return { changed: 0, kept: [] };
    if (fault === undefined) await this.#entries(application, file.source).write([[id, null]]);
    return changesBy(id, fault);
  }

  /** Before the picture is added again: with its entry and its file it is no other one for the next pass. */
  async restore(application: Application, id: string, file: PictureFile): Promise<FileChanges> {
    const entries = this.#entries(application, file.source);
    const known = await entries.get(id);
    if (!known) await entries.write([[id, file.entry]]);
    const fault = await this.#move(application, file, 'restore');
    if (fault !== undefined && !known) await entries.write([[id, null]]);
    const neverWent = fault !== undefined && known?.version === file.entry.version;
    return neverWent ? { changed: 0, kept: [] } : changesBy(id, fault);
  }

  /** Why the file stays; undefined where it was moved. @param size  of the file that the picture was made of, in bytes */
  async #move(
    application: Application,
    { source, entry }: PictureFile,
    how: FileMove,
    size?: number,
  ): Promise<string | undefined> {
    const { definition } = this.#known.get(source) ?? {};
    if (!definition?.writable) return 'its source is not writable';
    const { kind, settings } = definition;
    const { [kind]: of } = this.#parts.kinds;
    const isOwn = (each: Known) => recordsNumber(each.application) === recordsNumber(application);
    const follows = ({ id, definition: { kind: its, settings: place } }: Known) =>
      id !== source && its === kind && of.follows!(place, settings, entry.key); // another picture may have the same file
    const all = [...this.#known.values()].filter(follows);
    const own = all.find(isOwn);
    if (own) return `the source ${own.definition.name} follows it, too`;
    if (all.length > 0 && how !== 'restore') return 'a source of another application follows it, too'; // without its name
    try {
      await of.move!(settings, { ...entry, size }, how);
      return undefined;
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      return typeof code === 'string' ? `the file system answered ${code}` : message; // without the path
    }
  }

  /** The source of a picture, and what is known of the picture in it. */
  async #bringerOf(
    application: Application,
    id: string,
  ): Promise<{ source: string; definition: Definition; entry: Entry } | undefined> {
    for (const { id: source, definition } of this.#of(application)) {
      if (!id.startsWith(definition.prefix)) continue;
      const entry = await this.#entries(application, source).get(id);
      if (entry && !entry.fault) return { source, definition, entry };
    }
    return undefined;
  }

  #of(application: Application): Known[] {
    const number = recordsNumber(application);
    return [...this.#known.values()].filter((each) => recordsNumber(each.application) === number);
  }

  #entries(application: Application, source: string): Entries {
    return new Entries(this.#parts.records, recordsNumber(application), source);
  }

  #follow(): Promise<void> {
    const { records, failed } = this.#parts;
    return inOneProcess(records, {
      lease: LEASE,
      refresh: () => this.#refresh(),
      isAny: () => this.#known.size > 0,
      begin: (checkLease) => this.#schedule.look(this.#known.values(), checkLease),
      end: () => this.#schedule.stop(),
      wait: () => this.#nextLook.wait(POLL_MS),
      signal: this.#closed.signal,
      failed,
    });
  }

  /** Brings in the applications of the moment, and what other processes have changed. */
  async #refresh(): Promise<void> {
    const { records } = this.#parts;
    const all = new Map(this.#parts.applications().map((each) => [recordsNumber(each), each]));
    for (const [id, known] of this.#known) {
      const application = all.get(recordsNumber(known.application));
      if (application) known.application = application;
      else this.#known.delete(id);
    }
    if (!this.#isRead || records.shared) await this.#read(all);
    this.#isRead = true;
  }

  async #read(applications: ReadonlyMap<number, Application>): Promise<void> {
    const { records } = this.#parts;
    const numbers = [...applications.keys()];
    const definitions = await records.ofAll(numbers, kinds.definition);
    const states = await records.ofAll([...definitions.keys()], kinds.state);
    const seen = new Set<string>();
    for (const [number, stored] of definitions) {
      for (const record of stored) {
        seen.add(record.id);
        const state = states.get(number)?.find(({ id }) => id === record.id);
        this.#take(record, applications.get(number)!, state);
      }
    }
    for (const id of this.#known.keys()) if (!seen.has(id)) this.#known.delete(id);
  }

  #take(record: StoredRecord, application: Application, stored: StoredRecord | undefined): void {
    const definition = valueOf<Definition>(record);
    const state = stored ? valueOf<State>(stored) : newState(application);
    const known = this.#known.get(record.id);
    if (!known) this.#known.set(record.id, { id: record.id, application, definition, state });
    else Object.assign(known, { application, definition, ...(!this.#schedule.runs(record.id) && { state }) });
  }
}

/** Whether another process follows the sources. */
function changesBy(image_id: string, fault: string | undefined): FileChanges {
  return fault === undefined ? { changed: 1, kept: [] } : { changed: 0, kept: [{ image_id, message: fault }] };
}
