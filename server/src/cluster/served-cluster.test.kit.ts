import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packed } from './directory.ts';
import { CLAUSES, FORMAT } from './layout.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A cluster that is set up, on a port: it answers documents by their path, and searches by `search`. */
export class ServedCluster {
  /** What was sent, in its order. */
  readonly requests: Sent[] = [];
  /** By path, without the query: what a document has. */
  readonly documents = new Map<string, object>();
  /** The hits of a search. */
  search: (request: Sent) => readonly object[] = () => [];
  /** Answers instead. */
  instead: (request: Sent) => [status: number, body: object] | undefined = () => undefined;
  readonly server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const sent = { method: request.method!, path: request.url!, body };
    this.requests.push(sent);
    const [status, answer] = this.instead(sent) ?? this.#answer(sent);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });

  /** @returns `127.0.0.1` with the port */
  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The directory of applications and profiles. */
  directory(content: object): void {
    this.documents.set('/sosia/_doc/directory', packed(content));
  }

  of(text: string): Sent[] {
    return this.requests.filter(({ path }) => path.includes(text));
  }

  #answer(request: Sent): [status: number, body: object] {
    const { method, path } = request;
    const shards = { total: 1, successful: 1, failed: 0 };
    if (path === '/') return [200, { version: { distribution: 'opensearch', number: '2.19.0' } }];
    if (path.startsWith('/_cluster/settings'))
      return [200, { persistent: { 'indices.query.bool.max_clause_count': `${CLAUSES}` } }];
    if (path.startsWith('/_cluster/health'))
      return [200, { status: 'green', unassigned_shards: 0, initializing_shards: 0 }];
    if (path.includes('/_settings')) return [200, { index: { settings: {} } }];
    if (path.endsWith('/_mapping')) return [200, { index: { mappings: { _meta: { sosia: { format: FORMAT } } } } }];
    if (path.includes('/_search'))
      return [200, { timed_out: false, _shards: shards, hits: { hits: this.search(request) } }];
    if (path.includes('/_stats')) return [200, { indices: { index: {} } }];
    if (path.includes('/_refresh')) return [200, { _shards: shards }];
    const content = this.documents.get(path.split('?')[0]!);
    if (method === 'GET' && content) return [200, { _seq_no: 1, _primary_term: 1, _source: { content } }];
    return method === 'GET' ? [404, {}] : [200, { _seq_no: 2, _primary_term: 1, _shards: shards }];
  }
}
