import { fail } from '../errors.ts';

/** Ports that a pattern without a port allows. */
const USUAL_PORTS: readonly string[] = ['', '80', '443'];

const MAX_ADDRESS_CHARACTERS = 2048;

/**
 * The address in a text or in a redirect. Fails with ADDRESS_REFUSED, before any name is resolved.
 * @param hosts  patterns of the setting `fetch_hosts`
 * @param base  of a relative address
 */
export function checkedAddress(text: string, hosts: readonly string[], base?: URL): URL {
  const isPlain = text.length <= MAX_ADDRESS_CHARACTERS && /^[^\s\p{Cc}]+$/u.test(text);
  if (!isPlain || !URL.canParse(text, base?.href)) throw refused('expected http://… or https://…');
  const address = new URL(text, base);
  if (!/^https?:$/.test(address.protocol)) throw refused('expected http://… or https://…');
  if (address.username !== '' || address.password !== '') throw refused('an address must have no user and no password');
  if (!hosts.some((pattern) => allows(pattern, address))) {
    throw refused('the setting fetch_hosts does not allow this host and port');
  }
  address.hash = '';
  return address;
}

export function refused(why: string) {
  return fail('ADDRESS_REFUSED', why);
}

/** A pattern is `*`, `example.org` or `*.example.org`, each with `:port` or without. */
function allows(pattern: string, { hostname, port }: URL): boolean {
  const [host = '', only] = pattern.split(':');
  if (only === undefined ? !USUAL_PORTS.includes(port) : only !== port) return false;
  const name = hostname.replace(/\.$/, '');
  return host === '*' || host === name || (host.startsWith('*.') && name.endsWith(host.slice(1)));
}
