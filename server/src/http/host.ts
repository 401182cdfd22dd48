import type { IncomingMessage } from 'node:http';
import { fail } from '../errors.ts';

/**
 * Requires exactly one host (RFC 9112, section 3.2), since proxies choose differently between two. HTTP/1.0 may omit
 * the host. Fails with MALFORMED_REQUEST.
 */
export function requireHost({ httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw fail('MALFORMED_REQUEST', `expected HTTP/1.1 or HTTP/1.0, got HTTP/${httpVersion}`);
  }
  const hosts: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1]!);
  }
  if (hosts.length !== 1 && !(hosts.length === 0 && httpVersion === '1.0')) {
    throw fail('MALFORMED_REQUEST', `expected one Host header, got ${hosts.length}`);
  }
  if (/[\s/?#@\\]/.test(hosts[0] ?? ''))
    throw fail('MALFORMED_REQUEST', 'expected a host and a port in the Host header');
}
