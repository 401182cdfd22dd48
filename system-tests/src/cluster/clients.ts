import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type Sosia } from '@sosia/client';
import { between, oneOf, randomFor, type Random } from '@sosia/testing/pictures/random';
import { codeOf } from '@sosia/testing/service/service';
import type { Event } from '../linear/order.ts';
import type { Site } from './site.ts';

/** Pictures that several clients add and delete. */
const SHARED = 12;
/** Milliseconds for which a change without an answer may still be made: less than a minute, as OpenSearch waits. */
const LATE = 60_000;

/** Milliseconds between two requests of a client: together they are less than what nodes on two cores can do. */
const THINKING = [200, 1000] as const;

/** Milliseconds without a success that are no wait. */
const SHORT_WAIT = 1000;

/** Answers that say that nothing was done. */
const REFUSED: ReadonlySet<number> = new Set([
  errorCodes.CLUSTER_UNREACHABLE,
  errorCodes.CLUSTER_INCOMPLETE,
  errorCodes.CLUSTER_FULL,
  errorCodes.CLUSTER_READ_ONLY,
  errorCodes.OVERLOADED,
  errorCodes.SHUTTING_DOWN,
]);
/** Answers to a change of which nobody knows whether it was made. */
const UNKNOWN: ReadonlySet<number> = new Set([errorCodes.CLUSTER_OUTCOME_UNKNOWN, errorCodes.REQUEST_TIMEOUT]);

/** By the clock of `performance`. */
export interface Wait {
  readonly begin: number;
  readonly end: number;
}

/** Milliseconds after which OVERLOADED means that the work goes on without an answer. */
const ANSWERED = 10_000;

export interface Stock {
  /** Pictures with the keyword `stock`, which stay. */
  readonly ids: readonly string[];
  /** Finds all of them by votes. */
  readonly query: Uint8Array;
  /** Of the pictures that come and go. */
  readonly dna: Uint8Array;
}

/** Clients that add, delete and search through both services, and remember what they were answered. */
export class Clients {
  readonly histories = new Map<string, Event[]>();
  readonly counts = { added: 0, deleted: 0, read: 0, wholeSearches: 0, partial: 0, refused: 0, unknown: 0, silent: 0 };
  /** Times in which a client had no success. */
  readonly waits: Wait[] = [];
  /** When each client had its last success. */
  readonly #successes = new Map<number, number>();
  readonly #site: Site;
  readonly #stock: Stock;
  readonly #seed: string;
  readonly #fault: (text: string) => void;
  #version = 0;
  #over = false;

  constructor(site: Site, stock: Stock, seed: string, fault: (text: string) => void) {
    this.#site = site;
    this.#stock = stock;
    this.#seed = seed;
    this.#fault = fault;
  }

  /** Until `end`. */
  async work(adders: number, searchers: number): Promise<void> {
    const all = [
      ...Array.from({ length: adders }, (_, i) => this.#adder(i)),
      ...Array.from({ length: searchers }, (_, i) => this.#searcher(i)),
    ];
    await Promise.all(all);
  }

  /** Resolves when each client has had a success from now on, or after this many milliseconds. */
  async untilAllSucceed(longest: number): Promise<void> {
    const begin = performance.now();
    while (Math.min(...this.#successes.values()) < begin && performance.now() < begin + longest) await pause(100);
  }

  end(): void {
    this.#over = true;
  }

  async #adder(number: number): Promise<void> {
    const random = randomFor('cluster', this.#seed, 'adder', number);
    const own: string[] = [];
    let made = 0;
    await this.#repeat(number, random, async (service) => {
      const choice = random();
      if (choice < 0.35) {
        const id = `shared-${Math.floor(random() * SHARED)}`;
        return random() < 0.5 ? this.#add(service, id) : this.#delete(service, id);
      }
      const deleted = choice < 0.55 && own.length > 0;
      const id = deleted ? own.splice(Math.floor(random() * own.length), 1)[0]! : `own-${number}-${made++}`;
      const done = await (deleted ? this.#delete(service, id) : this.#add(service, id));
      if (done && !deleted) own.push(id);
      // at once, by the other service, which may not run
      if (done) await this.#read(1 - service, id, random).catch(() => this.counts.silent++);
      return done;
    });
  }

  async #searcher(number: number): Promise<void> {
    const random = randomFor('cluster', this.#seed, 'searcher', number);
    await this.#repeat(-1 - number, random, async (service) => {
      const choice = random();
      if (choice < 0.15) return this.#searchStock(service, random);
      const known = [...this.histories.keys()].slice(-40);
      const id = choice < 0.6 || known.length === 0 ? `shared-${Math.floor(random() * SHARED)}` : oneOf(random, known);
      return this.#read(service, id, random);
    });
  }

  /**
   * A client stays with its service until a request has no answer.
   * @param client  its number; negative for a searcher
   * @param step  resolves with whether it succeeded, and rejects without an answer
   */
  async #repeat(client: number, random: Random, step: (service: number) => Promise<boolean>): Promise<void> {
    let service = Math.abs(client % 2);
    let success = performance.now();
    this.#successes.set(client, success);
    while (!this.#over) {
      let failed = false;
      try {
        failed = !(await step(service));
      } catch {
        this.counts.silent++;
        service = 1 - service;
        failed = true;
      }
      const now = performance.now();
      if (!failed) {
        this.#waited(success, now);
        success = now;
        this.#successes.set(client, now);
      }
      await pause(between(random, ...THINKING));
    }
    this.#waited(success, performance.now());
  }

  #waited(begin: number, end: number): void {
    if (end - begin > SHORT_WAIT) this.waits.push({ begin, end });
  }

  #client(service: number): Sosia {
    const client = this.#site.client(service);
    if (!client) throw new Error('the service does not run');
    return client;
  }

  #history(id: string): Event[] {
    const known = this.histories.get(id) ?? [];
    this.histories.set(id, known);
    return known;
  }

  async #add(service: number, id: string): Promise<boolean> {
    const version = ++this.#version;
    const client = this.#client(service);
    const done = await this.#write(id, 'add', version, errorCodes.IMAGE_EXISTS, () =>
      client.addDna(id, this.#stock.dna, [`v${version}`]),
    );
    if (done) this.counts.added++;
    return done;
  }

  async #delete(service: number, id: string): Promise<boolean> {
    const client = this.#client(service);
    const done = await this.#write(id, 'delete', 0, errorCodes.IMAGE_NOT_FOUND, () => client.delete(id));
    if (done) this.counts.deleted++;
    return done;
  }

  /** @returns whether the answer was that it was done, or that there was nothing to do */
  async #write(
    id: string,
    kind: 'add' | 'delete',
    version: number,
    nothing: number,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    const begin = performance.now();
    const event: Event = { begin, end: Infinity, open: true, kind, version, done: true };
    const history = this.#history(id);
    history.push(event);
    const forget = (): void => void history.splice(history.indexOf(event), 1);
    let code: number;
    try {
      code = await codeOf(send());
    } catch (cause) {
      event.end = performance.now() + LATE;
      throw cause;
    }
    event.end = performance.now();
    if (UNKNOWN.has(code) || (code === errorCodes.OVERLOADED && event.end - begin > ANSWERED)) {
      event.end += LATE;
      this.counts.unknown++;
      return false;
    }
    event.open = false;
    if (REFUSED.has(code)) {
      forget();
      this.counts.refused++;
      return false;
    }
    event.done = code === 0;
    if (code !== 0 && code !== nothing) this.#fault(`${kind} of ${id} answered ${code}`);
    return true;
  }

  async #read(service: number, id: string, random: Random): Promise<boolean> {
    const event: Event = { begin: performance.now(), end: 0, open: false, kind: 'read', version: 0, done: true };
    let keywords: readonly string[] | undefined;
    const search = random() < 0.5;
    const client = this.#client(service);
    const code = await codeOf(
      search
        ? client.searchByDna(this.#stock.dna, { ids: [id] }).then(({ images }) => (keywords = images[0]?.keywords))
        : client.image(id).then((image) => ({ keywords } = image)),
    );
    event.end = performance.now();
    if (REFUSED.has(code) || UNKNOWN.has(code)) {
      this.counts.refused++;
      return false;
    }
    if (code !== 0 && (search || code !== errorCodes.UNKNOWN_IMAGE)) {
      this.#fault(`a read of ${id} answered ${code}`);
      return false;
    }
    event.version = keywords ? Number(keywords[0]!.slice(1)) : 0;
    this.#history(id).push(event);
    this.counts.read++;
    return true;
  }

  /** All pictures of the stock, by votes or by their keyword. */
  async #searchStock(service: number, random: Random): Promise<boolean> {
    const { query, ids } = this.#stock;
    const client = this.#client(service);
    const page = { count: ids.length };
    const search =
      random() < 0.5
        ? client.searchByDna(query, { keywords: ['stock'], ...page })
        : client.searchByKeywords(['stock'], page);
    let found: readonly string[] = [];
    const code = await codeOf(search.then(({ images }) => (found = images.map(({ id }) => id))));
    if (code !== 0) {
      this.counts.refused++;
      if (!REFUSED.has(code) && !UNKNOWN.has(code)) this.#fault(`a search of all answered ${code}`);
      return false;
    }
    this.counts.wholeSearches++;
    const missing = ids.filter((id) => !found.includes(id));
    if (missing.length > 0) {
      this.counts.partial++;
      this.#fault(
        `${missing.length} of ${ids.length} pictures are missing in an answer: ${missing.slice(0, 3).join()}`,
      );
    }
    return true;
  }
}
