import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** The IP addresses of a host name; none where it has none, or where the signal comes first. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Queries the name servers. The lookup of the system could occupy all threads that read files. */
export const resolve: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** The host of an address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A lookup that knows these addresses alone, so that a connection leads to one of them. */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    if (options.all) done(null, all);
    else done(null, all[0]!.address, all[0]!.family);
  };
}
