import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Requests of one kind: a number of clients, each sending as soon as it has its answer, or a fixed rate of arrivals. */
export type Load = LoadOf & (Clients | Arrivals);

interface LoadOf {
  readonly kind: RequestKind;
  readonly modify: string;
  readonly query: string;
  readonly key: string;
  /** Files to read and send in a cycle: pictures, or DNA for the kinds that send DNA. */
  readonly files: readonly string[];
  /** Ids of pictures to add or to search by, in a cycle. */
  readonly ids?: readonly string[];
  /** Whether a search that finds nothing is a failure. */
  readonly mustFind?: boolean;
  /** Of the sending process; a high one leaves the processor to the service, as a client on another machine does. */
  readonly niceness?: number;
}

/** A refused request (HTTP 503) is sent again after 50 ms, and its latency is that of all its trials. */
interface Clients {
  readonly clients: number;
  readonly requests: number;
}

/** Requests arrive whether or not earlier ones have been answered, and a refused request is not sent again. */
interface Arrivals {
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

export type RequestKind = 'add picture' | 'add DNA' | 'search by picture' | 'search by DNA' | 'search by id';

export interface LoadResult {
  readonly sent: number;
  readonly seconds: number;
  /** Of requests answered with code 0, in milliseconds; of arrivals, from the moment they were due. */
  readonly latencies: readonly number[];
  /** Of refusals with HTTP 503, the same. */
  readonly refusals: readonly number[];
  /** Of all others: the answer, and how often it came. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Sends the requests from a process of its own, so that the work of the client is not measured as that of the service. */
export async function putLoad(load: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./load-child.js', import.meta.url)));
  if (load.niceness !== undefined) setPriority(child.pid!, load.niceness);
  const end = once(child, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code} before its result`);
  });
  child.send(load);
  const [result] = (await Promise.race([once(child, 'message'), end])) as [LoadResult];
  end.catch(() => {});
  return result;
}
