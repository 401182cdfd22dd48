import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { fail, Failure } from '../errors.ts';
import { checkedAddress, refused } from './address.ts';
import { HostPace } from './host-pace.ts';
import { isPublic } from './public-addresses.ts';
import { hostOf, lookupOf, resolve, type Resolve } from './resolve.ts';

/** In milliseconds, where not said otherwise. */
export const fetchLimits = {
  /** From the first request to the last byte, with all redirects. */
  total: 10_000,
  /** Without a byte of what is fetched. */
  silence: 4_000,
  redirects: 5,
  headerBytes: 16 * 1024,
  /** Requests to one host. */
  perSecond: 10,
  atOnce: 20,
};

const AGENT = 'Sosia';

/** What a server said of a content, to ask later whether it is still the same. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface Wanted {
  readonly maxBytes: number;
  /** Receives the content piece by piece; what it throws ends the fetching. */
  readonly take: (piece: Uint8Array) => void;
  /** Of the content that the caller has; `take` is not called where it is still the same. */
  readonly known?: Validators;
  /** Whether the headers suffice: `take` is not called. */
  readonly head?: boolean;
  /** Whether a server that refuses (4xx) counts as one with an empty content. */
  readonly mayBeMissing?: boolean;
  readonly signal?: AbortSignal;
}

/** What is sent. */
export interface Posted {
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Fetched extends Validators {
  /** After all redirects. */
  readonly address: string;
  readonly unchanged: boolean;
}

export interface FetcherOptions {
  /** Addresses with ports, such as `127.0.0.1:8000`, that are allowed though they lead inside. For tests. */
  readonly exempt?: ReadonlySet<string>;
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof fetchLimits>;
}

/**
 * Fetches what addresses on the internet have, for people who may not reach the network of the service. Each address is
 * checked after it is resolved and after each redirect, and the connection leads to the IP address that was checked.
 * Failures do not tell what is inside: a name without an address and one that leads inside have the same.
 */
export class Fetcher {
  readonly #hosts: readonly string[] | null;
  readonly #exempt: ReadonlySet<string>;
  readonly #resolve: Resolve;
  readonly #limits: typeof fetchLimits;
  readonly #pace: HostPace;

  /** @param hosts  patterns of the hosts that are allowed; null where nothing is fetched */
  constructor(hosts: readonly string[] | null, options: FetcherOptions = {}) {
    this.#hosts = hosts;
    this.#exempt = options.exempt ?? new Set();
    this.#resolve = options.resolve ?? resolve;
    this.#limits = { ...fetchLimits, ...options.limits };
    this.#pace = new HostPace(this.#limits.perSecond, this.#limits.atOnce);
  }

  /** The address in a text. Fails with FETCHING_OFF or ADDRESS_REFUSED, before its name is resolved. */
  check(text: string, base?: URL): URL {
    if (!this.#hosts) throw fail('FETCHING_OFF');
    return checkedAddress(text, this.#hosts, base);
  }

  /** Fails with FETCHING_OFF, ADDRESS_REFUSED or NOT_FETCHED, or as `take` does. */
  async fetch(text: string, wanted: Wanted): Promise<Fetched> {
    let address = this.check(text);
    const limit = AbortSignal.timeout(this.#limits.total);
    const signal = wanted.signal ? AbortSignal.any([limit, wanted.signal]) : limit;
    for (let redirects = 0; redirects <= this.#limits.redirects; redirects++) {
      const answer = await this.#exchange(address, wanted, signal);
      if (!('location' in answer)) return { ...answer, address: address.href };
      address = this.check(answer.location, address);
    }
    throw fail('NOT_FETCHED', `more than ${this.#limits.redirects} redirects`);
  }

  /** As `fetch`, with the content as a whole. */
  async content(text: string, wanted: Omit<Wanted, 'take'>): Promise<Fetched & { readonly content: Buffer }> {
    const pieces: Uint8Array[] = [];
    const answer = await this.fetch(text, { ...wanted, take: (piece) => void pieces.push(piece) });
    return { ...answer, content: Buffer.concat(pieces) };
  }

  /**
   * Sends a text, and reads of the answer no more than its status; follows no redirect. Fails with FETCHING_OFF,
   * ADDRESS_REFUSED or NOT_FETCHED.
   */
  async post(text: string, { body, headers, signal }: Posted): Promise<number> {
    const address = this.check(text);
    const limited = AbortSignal.any([AbortSignal.timeout(this.#limits.total), signal]);
    const sent = { ...headers, 'content-type': 'application/json' };
    return this.#checked(address, { signal: limited, caller: signal }, async (addresses) => {
      const { response, end } = await this.#request(
        address,
        addresses,
        { method: 'POST', headers: sent, body },
        limited,
      );
      end();
      return response.statusCode ?? 0;
    });
  }

  async #exchange(
    address: URL,
    wanted: Wanted,
    signal: AbortSignal,
  ): Promise<Omit<Fetched, 'address'> | { readonly location: string }> {
    const { host } = address;
    return this.#checked(address, { signal, caller: wanted.signal }, async (addresses) => {
      await this.#pace.wait(host, signal);
      const { response, end } = await this.#request(address, addresses, requestOf(wanted), signal);
      try {
        return await answerOf(response, host, wanted);
      } finally {
        end();
      }
    });
  }

  /** @param caller  whose end is none of the other server's faults */
  async #checked<T>(
    address: URL,
    { signal, caller }: { readonly signal: AbortSignal; readonly caller?: AbortSignal | undefined },
    work: (addresses: readonly string[]) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await this.#publicAddresses(address, signal));
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      caller?.throwIfAborted();
      throw fail('NOT_FETCHED', `no whole answer from ${address.host} in time`);
    }
  }

  /** All of a host, each of which must be public. */
  async #publicAddresses(address: URL, signal: AbortSignal): Promise<readonly string[]> {
    const host = hostOf(address);
    const all = isIP(host) ? [host] : await this.#resolve(host, signal);
    signal.throwIfAborted();
    const port = address.port || (address.protocol === 'https:' ? '443' : '80');
    const allowed = (ip: string): boolean => isPublic(ip) || this.#exempt.has(`${ip}:${port}`);
    if (all.length === 0 || !all.every(allowed)) throw refused('the host has no public address');
    return all;
  }

  async #request(address: URL, addresses: readonly string[], { method, headers, body }: Sent, signal: AbortSignal) {
    const { request } = address.protocol === 'https:' ? https : http;
    const outgoing = request(address, {
      method,
      agent: false, // a connection of its own, whose address was checked
      lookup: lookupOf(addresses),
      signal,
      timeout: this.#limits[method === 'POST' ? 'total' : 'silence'], // a receiver may work on what it is sent
      maxHeaderSize: this.#limits.headerBytes,
      headers: {
        'user-agent': AGENT,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
      },
    });
    const end = (): void => void outgoing.destroy();
    outgoing.on('timeout', end).on('error', () => {}); // an error after the answer concerns nobody
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response').catch((cause: unknown) => {
      end();
      throw cause;
    })) as [IncomingMessage];
    return { response, end };
  }
}

interface Sent {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function requestOf({ known = {}, head }: Wanted): Sent {
  const headers = {
    ...(known.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  };
  return { method: head ? 'HEAD' : 'GET', headers };
}

/** Passes on the content. Fails with NOT_FETCHED. */
async function answerOf(
  response: IncomingMessage,
  host: string,
  { maxBytes, take, known, head, mayBeMissing }: Wanted,
): Promise<Omit<Fetched, 'address'> | { readonly location: string }> {
  const { statusCode: status = 0, headers } = response;
  const { etag, 'last-modified': lastModified, location, 'content-encoding': coding = 'identity' } = headers;
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) return { location };
  if (status === 304 && known) return { ...known, unchanged: true };
  if (mayBeMissing && status >= 400 && status < 500) return { unchanged: false };
  if (status !== 200) throw fail('NOT_FETCHED', `${host} answered ${status}`);
  if (coding !== 'identity') throw fail('NOT_FETCHED', `${host} sent a compressed answer`); // it may be a thousand times as large
  const tooLarge = fail('NOT_FETCHED', `expected at most ${maxBytes} bytes`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  let bytes = 0;
  if (head) return { etag, lastModified, unchanged: false };
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge;
    take(piece);
  }
  return { etag, lastModified, unchanged: false };
}
