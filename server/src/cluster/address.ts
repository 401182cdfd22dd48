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
  /** Certificate of this client and its key, as PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** The same address with what the files have by now; missing where there are none. */
  readonly readAgain?: () => ClusterAddress;
}

/** Paths of files that let the service in. */
export interface ClusterFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Has the password of the user that the address names. */
  readonly password?: string | undefined;
}

/** Those that settings name. */
export const clusterFiles = (of: { readonly [name in `cluster_${keyof ClusterFiles}`]: string | undefined }) => ({
  ca: of.cluster_ca,
  cert: of.cluster_cert,
  key: of.cluster_key,
  password: of.cluster_password,
});

const PREFIX = 'sosia';

/**
 * Reads `https://user:password@host:9200/prefix,https://host2:9200`. One user and one prefix hold for all hosts.
 * @throws Error with the expectation. It repeats nothing of the text: a password may be anywhere in what cannot be read
 */
export function clusterAddress(text: string, files: ClusterFiles = {}): ClusterAddress {
  const parts = text.split(',');
  const urls = parts.map((part, i) => urlOf(part.trim(), `address ${i + 1} of ${parts.length}`));
  const named = urls.find(({ username }) => username !== '');
  const prefixes = new Set(urls.map(({ pathname }) => pathname.replace(/^\/|\/$/g, '')).filter((path) => path !== ''));
  if (prefixes.size > 1) throw new Error(`expected one prefix for all hosts, got ${prefixes.size} different ones`);
  const { ca, cert, key, password } = files;
  const plain = urls.every(({ protocol }) => protocol === 'http:');
  if (plain && ca !== undefined) throw new Error('expected hosts with https:// where authorities are given');
  if (plain && cert !== undefined) throw new Error('expected hosts with https:// where a certificate is given');
  if ((cert === undefined) !== (key === undefined))
    throw new Error('expected a certificate and its key, got one without the other');
  if (password !== undefined && (!named || named.password !== ''))
    throw new Error('expected a user without a password in the address where a file has the password');
  const [prefix = PREFIX] = prefixes;
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(prefix)) {
    throw new Error(
      'expected a prefix of a-z, 0-9, - and _ that begins with a letter, at most 64 characters, got another text behind the port',
    );
  }
  return {
    hosts: urls.map(({ origin }) => new URL(origin)),
    prefix,
    ...(named && { authorization: basic(named, password) }),
    ...(ca !== undefined && { ca: pem(ca, 'CERTIFICATE') }),
    ...(cert !== undefined && { cert: pem(cert, 'CERTIFICATE') }),
    ...(key !== undefined && { key: pem(key, 'PRIVATE KEY') }),
    ...((ca ?? cert ?? password) !== undefined && { readAgain: () => clusterAddress(text, files) }),
  };
}

/** @param which  names the part in messages */
function urlOf(text: string, which: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // an @ behind the host shows that the password has a slash, and that host and path are parts of it
  if (url && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}` === '' && !url.pathname.includes('@'))
    return url;
  throw new Error(
    `expected http://host:9200 or https://user:password@host:9200, got something else as ${which}; ${ESCAPES}`,
  );
}

const ESCAPES =
  'in a user or a password, write %2F for /, %40 for @, %3A for :, %2C for a comma, %3F for ?, %23 for #, %25 for %';

/** For a log; undefined where the password travels encrypted, or there is none. */
export function unencryptedPassword({ hosts, authorization }: ClusterAddress): string | undefined {
  const plain = hosts.filter(({ protocol }) => protocol === 'http:').map(({ host }) => host);
  if (authorization === undefined || plain.length === 0) return undefined;
  return `the password of the cluster is sent to ${plain.join(', ')} without encryption; expected https://`;
}

function basic({ username, password }: URL, file: string | undefined): string {
  const held = file === undefined ? undefined : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  let both: string;
  try {
    both = `${decodeURIComponent(username)}:${held ?? decodeURIComponent(password)}`;
  } catch {
    throw new Error(`expected a % in the user or the password of the cluster to begin an escape; ${ESCAPES}`);
  }
  return `Basic ${Buffer.from(both).toString('base64')}`;
}

/** @param what  that the file must have; a kind of key may stand before it */
function pem(file: string, what: 'CERTIFICATE' | 'PRIVATE KEY'): string {
  const text = readFileSync(file, 'utf8');
  if (!new RegExp(`-----BEGIN ([A-Z]+ )?${what}-----`).test(text))
    throw new Error(`expected ${what === 'CERTIFICATE' ? 'certificates' : 'a private key'} as PEM in ${file}`);
  return text;
}
