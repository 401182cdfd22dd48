import { readFileSync } from 'node:fs';

/** Where a cluster is, and how to be let in. */
export interface ClusterAddress {
  /** Origins, such as `https://search-1.example:9200`; each leads to the same cluster. */
  readonly hosts: readonly URL[];
  /** The first part of the names of all indexes; several services may share a cluster. */
  readonly prefix: string;
  /** Value of the header `Authorization`. */
  readonly authorization?: string;
  /** Certificates of the authorities that may vouch for the hosts, as PEM; those of the system if missing. */
  readonly ca?: string;
}

const PREFIX = 'sosia';

/**
 * Reads `https://user:password@host:9200/prefix,https://host2:9200`. One user and one prefix hold for all hosts.
 * @param caFile  path of a PEM file
 * @throws Error with the expectation; its message contains no password
 */
export function clusterAddress(text: string, caFile?: string): ClusterAddress {
  const urls = text.split(',').map((part) => urlOf(part.trim()));
  const named = urls.find(({ username }) => username !== '');
  const prefixes = new Set(urls.map(({ pathname }) => pathname.replaceAll('/', '')).filter((path) => path !== ''));
  if (prefixes.size > 1) throw new Error(`expected one prefix for all hosts, got ${[...prefixes].join(' and ')}`);
  const [prefix = PREFIX] = prefixes;
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(prefix)) {
    throw new Error(`expected a prefix of a-z, 0-9, - and _ that begins with a letter, got ${prefix}`);
  }
  return {
    hosts: urls.map(({ origin }) => new URL(origin)),
    prefix,
    ...(named && { authorization: basic(named) }),
    ...(caFile !== undefined && { ca: certificates(caFile) }),
  };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url;
  throw new Error(`expected http://host:9200 or https://user:password@host:9200, got ${withoutPassword(text)}`);
}

/** For messages. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/\/\/[^@/]*@/g, '//');
}

function basic({ username, password }: URL): string {
  const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(both).toString('base64')}`;
}

function certificates(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`expected certificates as PEM in ${file}`);
  return text;
}
