import type { Application } from '../applications/application.ts';
import { bodyOf, recordsNumber, remove } from '../applications/records.ts';
import type { SharedRecords } from '../store/store.ts';
import { Entries } from './entries.ts';
import { noProgress, Pass, type Outcome } from './follower.ts';
import { listingOf } from './listing.ts';
import { ApplicationReceiver } from './receiver.ts';
import type { Source, SourceKind } from './source.ts';
import { kinds, type Definition, type State } from './stored.ts';

/** Milliseconds between two looks for sources that are due. */
export const POLL_MS = 2000;

/** Passes at a time. */
const PASSES = 4;

/** Pictures whose entries are written together. */
const BATCH = 32;

/** Milliseconds between two records of the progress of a pass. */
const PROGRESS_MS = 2000;

/** A source as the process knows it. */
export interface Known {
  readonly id: string;
  application: Application;
  definition: Definition;
  state: State;
}

export interface ScheduleParts {
  readonly records: SharedRecords;
  readonly kinds: Readonly<Record<Definition['kind'], SourceKind>>;
  /** Pictures of a source that are read and described at a time. */
  readonly parallel: number;
  /** Called with the id of a source that was removed. */
  readonly left: (id: string) => void;
  /** Called with the fault of a pass. */
  readonly failed: (cause: unknown) => void;
}

interface Running {
  readonly stop: AbortController;
  /** Whether the source is being removed, which nothing but the end of the process stops. */
  readonly leaving: boolean;
  readonly done: Promise<void>;
}

/** Starts the passes of this process over its sources when they are due, and stops those that are paused. */
export class Schedule {
  readonly #parts: ScheduleParts;
  readonly #running = new Map<string, Running>();
  /** The last pass of each source: its end by the clock of `performance`, and what was wished of it. */
  readonly #last = new Map<string, { readonly at: number; readonly wish: string }>();
  /** The listing of each source whose last pass had nothing to do: the same listing is not compared with what is stored. */
  readonly #atRest = new Map<string, string>();
  /** The states as stored, but for their times. */
  readonly #stored = new Map<string, string>();

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** @param checkLease  fails where another process has begun to follow the sources */
  look(sources: Iterable<Known>, checkLease: () => void): void {
    for (const source of sources) {
      const running = this.#running.get(source.id);
      const { paused, leaving } = source.definition;
      const { takesChanges } = source.application;
      if (running && !running.leaving && (paused || leaving || !takesChanges)) running.stop.abort();
      if (!running && this.#running.size < PASSES && this.#isDue(source)) this.#start(source, checkLease);
    }
  }

  runs(id: string): boolean {
    return this.#running.has(id);
  }

  /** Ends all passes; the next process continues them. */
  async stop(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
    this.#last.clear();
    this.#atRest.clear(); // another process may follow the sources meanwhile
    this.#stored.clear();
  }

  #isDue({ id, application, definition }: Known): boolean {
    if (application.references.loading || !application.takesChanges) return false;
    if (definition.leaving) return true;
    if (definition.paused) return false;
    const last = this.#last.get(id);
    return last?.wish !== wishOf(definition) || performance.now() - last.at >= 1000 * definition.interval;
  }

  #start(source: Known, checkLease: () => void): void {
    const stop = new AbortController();
    const { id, definition } = source;
    const done = this.#run(source, stop.signal, checkLease).then((isUnfinished) => {
      this.#running.delete(id);
      if (!stop.signal.aborted && !isUnfinished)
        this.#last.set(id, { at: performance.now(), wish: wishOf(definition) });
    });
    this.#running.set(id, { stop, done, leaving: definition.leaving !== undefined });
  }

  /** @returns whether the next pass is to begin at once */
  async #run(source: Known, signal: AbortSignal, checkLease: () => void): Promise<boolean> {
    try {
      if (!source.definition.leaving) return await this.#pass(source, signal, checkLease);
      await this.#leave(source, signal, checkLease);
    } catch (cause) {
      if (signal.aborted) return false;
      this.#parts.failed(cause);
      const end = { running: false, secondsLeft: null, ended: new Date().toISOString() };
      const state = { ...source.state, ...end, fault: (cause as Error).message };
      await this.#save(source, state).catch(this.#parts.failed);
    }
    return false;
  }

  async #pass(source: Known, signal: AbortSignal, checkLease: () => void): Promise<boolean> {
    const { application, definition, state } = source;
    const { kind, settings, request, agreed } = definition;
    const entries = await this.#entriesOf(source);
    const opened = await this.#parts.kinds[kind].open(settings);
    const question = state.question?.number === agreed ? state.question : null;
    const retry = request.number > state.request && request.retry;
    const options = { retry, agreed: question?.removals ?? 0, signal, checkLease };
    let progress = noProgress();
    const started = performance.now();
    const report = (): State => ({
      ...source.state,
      application: application.record.number,
      running: true,
      progress: { ...progress },
      secondsLeft: secondsLeft(progress, performance.now() - started),
    });
    source.state = report();
    const reports = setInterval(() => {
      source.state = report();
      if (this.#parts.records.shared) this.#save(source, source.state).catch(() => {}); // the end of the pass is reported
    }, PROGRESS_MS);
    try {
      const listing = opened.isListedFirst ? await listingOf(opened, signal) : undefined;
      const rest = listing?.digest && `${application.record.number} ${listing.digest}`;
      const isAtRest = rest && rest === this.#atRest.get(source.id) && request.number === state.request;
      this.#atRest.delete(source.id);
      const pass = isAtRest ? undefined : this.#newPass(source, listing?.source ?? opened, entries, options);
      progress = pass?.progress ?? { ...progress, listed: listing!.count };
      const outcome = pass ? await pass.run() : asBefore(state);
      clearInterval(reports);
      await this.#save(source, ended(report(), state, outcome, request.number));
      if (rest && progress.work === 0 && !outcome.question) this.#atRest.set(source.id, rest);
      return outcome.isUnfinished;
    } finally {
      clearInterval(reports);
      source.state = { ...source.state, running: false, secondsLeft: null };
      await opened.close?.();
    }
  }

  #newPass(
    { application, definition: { prefix, keywords } }: Known,
    source: Source,
    entries: Entries,
    options: { retry: boolean; agreed: number; signal: AbortSignal; checkLease: () => void },
  ) {
    const receiver = new ApplicationReceiver(application);
    const { parallel } = this.#parts;
    return new Pass(receiver, source, entries, { prefix, keywords, parallel, batch: BATCH, ...options });
  }

  /** Those of an application that was emptied are of pictures that are no longer there. */
  async #entriesOf(source: Known): Promise<Entries> {
    const { application, state } = source;
    const entries = new Entries(this.#parts.records, recordsNumber(application), source.id);
    if (state.application !== application.record.number) {
      const former = await entries.all();
      await entries.write([...former.keys()].map((id) => [id, null]));
      await this.#save(source, { ...state, application: application.record.number });
    }
    return entries;
  }

  /** Removes a source, and its pictures where that was chosen. */
  async #leave(source: Known, signal: AbortSignal, checkLease: () => void): Promise<void> {
    const entries = await this.#entriesOf(source);
    if (source.definition.leaving === 'remove') {
      const options = { retry: false, agreed: Infinity, signal, checkLease };
      await this.#newPass(source, nothing, entries, options).run();
    }
    await entries.write([...(await entries.all()).keys()].map((id) => [id, null]));
    const number = recordsNumber(source.application);
    await this.#parts.records.changeRecords(number, [
      remove(kinds.state, source.id),
      remove(kinds.definition, source.id),
    ]);
    this.#parts.left(source.id);
  }

  async #save(source: Known, state: State): Promise<void> {
    const { records } = this.#parts;
    source.state = state;
    const news = JSON.stringify({ ...state, ended: null });
    if (news === this.#stored.get(source.id) && !records.shared) return; // so that an idle source writes nothing
    this.#stored.set(source.id, news);
    const change = { kind: kinds.state, id: source.id, body: bodyOf(state) };
    await records.changeRecords(recordsNumber(source.application), [change]);
  }
}

/** What is wished of the next pass: it does not wait for its time. */
function wishOf({ request, agreed }: Definition): string {
  return `${request.number} ${agreed}`;
}

/** A source without pictures. */
const nothing: Source = {
  async *list() {},
  read: () => Promise.reject(new Error('it has no pictures')),
};

/** That of a pass over a source that lists what it listed before. */
function asBefore({ pictures, failed }: State): Outcome {
  return { question: null, fault: undefined, isUnfinished: false, pictures, failed };
}

/** The state after a pass. @param before  the state at its start */
function ended(state: State, before: State, outcome: Outcome, request: number): State {
  const { question, fault, pictures, failed } = outcome;
  const number = before.question?.removals === question?.removals ? before.question?.number : undefined;
  return {
    ...state,
    running: false,
    secondsLeft: null,
    ended: new Date().toISOString(),
    fault: fault?.message ?? '',
    question: question && { ...question, number: number ?? Date.now() },
    pictures,
    failed,
    request,
  };
}

/** @param ms  since the start of the pass */
function secondsLeft({ done, work }: State['progress'], ms: number): number | null {
  return done === 0 ? null : Math.round(((ms / done) * (work - done)) / 1000);
}

export function newState({ record }: Application): State {
  return {
    application: record.number,
    running: false,
    progress: noProgress(),
    secondsLeft: null,
    ended: null,
    fault: '',
    question: null,
    pictures: 0,
    failed: 0,
    request: 0,
  };
}
