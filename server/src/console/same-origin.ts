import type { IncomingMessage } from 'node:http';
import { fail } from '../errors.ts';

/**
 * Whether a page of this very origin made the browser send a request. Requests that change or return data must come
 * from the console itself. A proxy in front must pass `Host` on unchanged.
 * @throws Failure FORBIDDEN
 */
export function requireSameOrigin({ headers }: IncomingMessage): void {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw fail('FORBIDDEN', 'a request that another site makes');
  if (origin === undefined) throw fail('FORBIDDEN', 'a request without Origin');
  if (hostOf(origin) !== host.toLowerCase()) throw fail('FORBIDDEN', 'a request from a page of another origin');
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return ''; // `null`, which a sandboxed page sends
  }
}
