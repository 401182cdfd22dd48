import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FetcherOptions } from './fetcher.ts';

/** A server on the loopback, and the options with which a `Fetcher` reaches it as `http://web.example:PORT`. */
export interface Web {
  readonly port: number;
  /** Begins the addresses of the server. */
  readonly base: string;
  /** Allows this server alone. */
  readonly options: FetcherOptions;
  /** The requests so far. */
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

export type Pages = Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>;

/** @param pages  by path; others are not found */
export async function startWeb(pages: Pages): Promise<Web> {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    const page = pages[request.url!.split('?')[0]!];
    if (page) page(response, request);
    else response.writeHead(404).end();
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    base: `http://web.example:${port}`,
    options: { exempt: new Set([`127.0.0.1:${port}`]), resolve: async () => ['127.0.0.1'] },
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
