import assert from 'node:assert/strict';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { replyTo } from './replies.test.kit.ts';

type Answer = { status?: number; body?: object };

/** A cluster of documents, each of which changes only for who knows its version. */
export class Documents {
  readonly #documents = new Map<string, { content: object; version: number }>();
  /** Copies that have the next changes; three afterwards. */
  copies: number[] = [];
  /** What happens before the next change. */
  before: (() => void)[] = [];
  writes = 0;
  /** Requests that are for no document. */
  others: string[] = [];
  /** Answers them. */
  answer: (call: Call) => Answer = () => ({ body: {} });
  readonly connection = {
    address: clusterAddress('http://127.0.0.1:1'),
    send: async (call: Call): Promise<Reply> => replyTo(call, this.#answer(call)),
  } as unknown as Connection;

  change(path: string, content: object): void {
    this.#documents.set(path, { content, version: (this.#documents.get(path)?.version ?? 0) + 1 });
  }

  remove(path: string): void {
    this.#documents.delete(path);
  }

  get paths(): string[] {
    return [...this.#documents.keys()];
  }

  #answer({ method, path, body, changes = false }: Call): Answer {
    const [name, query = ''] = path.split('?') as [string, string?];
    if (!name.includes('/_doc/')) {
      this.others.push(`${method} ${path}`);
      return this.answer({ method, path, body });
    }
    assert.equal(changes, method !== 'GET', `${method} ${path}`); // the outcome of a change without an answer is unknown
    if (method === 'PUT') this.before.shift()?.();
    const found = this.#documents.get(name);
    if (method === 'DELETE') return (this.#documents.delete(name), { status: found ? 200 : 404 });
    if (method === 'PUT') {
      const condition = new URLSearchParams(query);
      const expected = condition.get('op_type') === 'create' ? undefined : condition.get('if_seq_no');
      if (query !== '' && expected !== (found && String(found.version))) return { status: 409, body: {} };
      this.writes++;
      this.change(name, (body as { content: object }).content);
      const version = this.#documents.get(name)!.version;
      return {
        body: { _seq_no: version, _primary_term: 1, _shards: { total: 3, successful: this.copies.shift() ?? 3 } },
      };
    }
    if (!found) return { status: 404, body: {} };
    return { body: { _seq_no: found.version, _primary_term: 1, _source: { content: found.content } } };
  }
}
