import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Requests of one kind, so many in all, by so many clients at once, each asking again as soon as it has its answer. */
export interface Load {
  readonly kind: RequestKind;
  readonly modify: string;
  readonly query: string;
  readonly key: string;
  readonly clients: number;
  readonly requests: number;
  /** Files to read and send in turn: pictures, or DNAs for the kinds that send one. */
  readonly files: readonly string[];
  /** Names of pictures: given to those that are added, asked for in searches by id. In turn. */
  readonly ids: readonly string[];
}

export type RequestKind = 'add picture' | 'add DNA' | 'search by picture' | 'search by DNA' | 'search by id';

export interface LoadResult {
  readonly seconds: number;
  /** Of the requests answered with code 0, in milliseconds; the waiting of those sent to a busy service is in it. */
  readonly latencies: readonly number[];
  /** How often the service was too busy, HTTP 503; such a request is sent again a little later. */
  readonly busy: number;
  /** Of all others: what was said, and how often. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Puts the load on from a process of its own, so that the client's work is not measured as the server's. */
export async function putOn(load: Load): Promise<LoadResult> {
  const client = fork(fileURLToPath(new URL('./client.js', import.meta.url)));
  const end = once(client, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code} before its result`);
  });
  client.send(load);
  const [result] = (await Promise.race([once(client, 'message'), end])) as [LoadResult];
  end.catch(() => {});
  return result;
}
