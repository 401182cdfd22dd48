import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Searches by picture that arrive at a fixed rate, whether or not earlier ones have been answered. */
export interface Arrivals {
  readonly query: string;
  readonly key: string;
  /** Searches a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Pictures to send in turn. */
  readonly files: readonly string[];
  /** Of the sending process, 0 unless given; a high one leaves the processor to the service, as a client on another machine does. */
  readonly niceness?: number;
}

export interface ArrivalsResult {
  readonly sent: number;
  /** Of those answered with code 0, in milliseconds from the moment they were due: a late start counts as waiting. */
  readonly latencies: readonly number[];
  /** Of those answered HTTP 503, the same. */
  readonly refusals: readonly number[];
  /** Of all others: what was said, and how often. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Sends them from a process of its own. */
export async function arrive(arrivals: Arrivals): Promise<ArrivalsResult> {
  const client = fork(fileURLToPath(new URL('./arrivals-client.js', import.meta.url)));
  if (arrivals.niceness !== undefined) setPriority(client.pid!, arrivals.niceness);
  const end = once(client, 'exit').then(([code]) => {
    throw new Error(`the client ended with ${code} before its result`);
  });
  client.send(arrivals);
  const [result] = (await Promise.race([once(client, 'message'), end])) as [ArrivalsResult];
  end.catch(() => {});
  return result;
}
