import type { FastifyRequest } from 'fastify';

/** Browsers store cookies by host, not by port: two services on one machine need different names. */
const nameOf = (port: number): string => `sosia-${port}`;

/**
 * The values of all cookies that the console of this port has set, each once. There can be several under the one name,
 * because pages of other ports and of subdomains can set them too.
 */
export function cookiesOf({ headers }: FastifyRequest, port: number): string[] {
  const start = `${nameOf(port)}=`;
  const cookies = (headers.cookie ?? '').split(/;\s*/).filter((cookie) => cookie.startsWith(start));
  return [...new Set(cookies.map((cookie) => cookie.slice(start.length)))];
}

/** The header that sets the cookie. @param seconds  0 removes the cookie */
export function cookie({ headers }: FastifyRequest, port: number, value: string, path: string, seconds: number) {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return `${nameOf(port)}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}
