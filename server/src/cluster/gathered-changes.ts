import type { Body } from './body.ts';
import type { Call, Reply } from './connection.ts';
import { failureOf, withUnknownOutcome } from './failures.ts';

/** Milliseconds for all requests of one change. */
export const CHANGE_LIMIT = 12_000;

/** Puts a document into its place. */
export interface Change {
  /** Its `_id`. */
  readonly key: string;
  readonly document: object;
  /** The condition that the document in the place has not changed, see `conditionOf`. */
  readonly version?: string | undefined;
  /** Whether the place must be empty. */
  readonly creates: boolean;
  /** No attempt lasts longer, by the clock of `performance`. */
  readonly until: number;
}

interface Waiting {
  readonly change: Change;
  readonly resolve: (reply: Reply | Promise<Reply>) => void;
  readonly reject: (cause: unknown) => void;
}

/** Characters of a request with several changes: larger ones fill a heap of 512 MB. */
const MAX_LENGTH = 2 ** 20;
/** Milliseconds after which a request no longer delays the next one: its host may hang. */
const DELAY_MS = 1000;
/** Searches on every node see the change before it is answered. An alias that is missing is not replaced by a new index. */
const PARAMETERS = 'refresh=true&require_alias=true';

/**
 * Changes of the pictures of an application. Those that arrive while a request is under way go together in the next one: its
 * cost is mostly that of the segment which it adds to the index.
 */
export class GatheredChanges {
  readonly #send: (call: Call) => Promise<Reply>;
  readonly #check: () => void;
  readonly #waiting: Waiting[] = [];
  /** Whether a request delays the next one. */
  #busy = false;

  /**
   * @param send  a request below the alias of the application
   * @param check  called before each request; throws where the application takes no changes
   */
  constructor(send: (call: Call) => Promise<Reply>, check = () => {}) {
    this.#send = send;
    this.#check = check;
  }

  /** @returns what the cluster answers to the change, also 409; its failures are those of `Connection.send` */
  put(change: Change): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    let delays = true;
    const end = (): void => {
      clearTimeout(timer);
      if (!delays) return;
      delays = false;
      this.#busy = false;
      this.#next();
    };
    const timer = setTimeout(end, DELAY_MS);
    const lines = this.#waiting.length > 1 ? this.#lines() : [];
    const some = this.#waiting.splice(0, Math.max(1, lines.length));
    const changes = some.map(({ change }) => change);
    const replies =
      lines.length > 1 ? this.#together(changes, lines) : this.#alone(changes[0]!).then((reply) => [reply]);
    void replies
      .then(
        (all) => some.forEach(({ resolve }, i) => resolve(all[i]!)),
        (cause: unknown) => some.forEach(({ reject }) => reject(cause)),
      )
      .then(end);
  }

  /** Of the first changes that wait, as many as fit into one request. */
  #lines(): string[] {
    const lines: string[] = [];
    let length = 0;
    for (const { change } of this.#waiting) {
      const next = linesOf(change);
      if ((length += next.length) > MAX_LENGTH) break;
      lines.push(next);
    }
    return lines;
  }

  async #alone({ key, document, version, creates, until }: Change): Promise<Reply> {
    this.#check();
    const path = `${creates ? '_create' : '_doc'}/${key}?${PARAMETERS}${version ? `&${version}` : ''}`;
    return this.#send({ method: 'PUT', path, body: document, changes: true, expected: [409], until });
  }

  /** Changes that fail in the common request are made alone, which may succeed or says why it does not. */
  async #together(some: readonly Change[], lines: readonly string[]): Promise<Promise<Reply>[]> {
    this.#check();
    const until = Math.min(...some.map((change) => change.until));
    const call = { method: 'POST', path: `_bulk?${PARAMETERS}`, body: lines.join(''), changes: true, until } as const;
    const { body: answer, repeated } = await this.#send(call);
    return some.map(async (change, i) => {
      const item = Object.values(answer.items[i]!)[0]!;
      const reply = { status: item.status, body: item as unknown as Body, repeated };
      if (item.status < 300 || item.status === 409) return reply;
      const mayBeDone = repeated || failureOf(reply, true).mayBeDone;
      const again = await this.#alone(change).catch((cause: unknown) => {
        throw mayBeDone ? withUnknownOutcome(cause) : cause;
      });
      return { ...again, repeated: again.repeated || mayBeDone };
    });
  }
}

function linesOf({ key, document, version, creates }: Change): string {
  const condition = Object.fromEntries([...new URLSearchParams(version)].map(([name, value]) => [name, Number(value)]));
  const action = { [creates ? 'create' : 'index']: { _id: key, ...condition } };
  return `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`;
}
