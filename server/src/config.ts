import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';

/** Seconds. Clients on Node wait 300 s for an answer; a request may arrive for 30 s, and its work takes 5 s. */
const LONGEST_WAIT = 240;

/** One row of the table below. The name is the key in the settings file; variable and flag follow from it. */
export interface Setting<T> {
  /** The placeholder after the flag. */
  readonly argument: string;
  /** The default, as written in a settings file. */
  readonly fallback: string;
  /** Text to value; throws the expectation. */
  readonly read: (text: string) => T;
  readonly about: string;
}

/** All settings. docs/config.md and the flags of `sosia serve` are generated from this table. */
export const settings = {
  data: setting('./data', text, 'Folder of all data of the server; `sosia serve` makes a missing one.', 'DIR'),
  cluster: setting(
    '',
    possible,
    'An OpenSearch cluster for the pictures instead of a data folder: `https://user:password@host:9200`, several hosts with commas between. With `/NAME` after the port, the names of the indexes begin with NAME, otherwise with `sosia`. On a command line others can read a password; a variable or a settings file is safer.',
    'URL',
  ),
  cluster_ca: setting(
    '',
    possible,
    'PEM file of the CA certificates for the cluster, instead of those of the system.',
    'FILE',
  ),
  cluster_cert: setting('', possible, 'PEM file of the certificate by which the cluster knows the service.', 'FILE'),
  cluster_key: setting('', possible, 'PEM file of the private key of that certificate.', 'FILE'),
  cluster_password: setting(
    '',
    possible,
    'File with the password of the user in the address of the cluster. This file and those of certificates are read again when the cluster refuses what they had.',
    'FILE',
  ),
  cluster_search: setting(
    'terms',
    oneOf('terms', 'lists'),
    'What finds pictures that share features, on all nodes of a cluster alike. `terms`: the cluster. `lists`: an index of all pictures in the memory of each node, which gives the same answers as a data folder.',
    'WHAT',
  ),
  host: setting('127.0.0.1', text, 'Address both ports listen on; 0.0.0.0 for all of IPv4, :: for all.', 'ADDRESS'),
  modify_port: setting('7789', whole(0, 65535), 'Port of the MODIFY operations; 0 picks a free one.', 'PORT'),
  query_port: setting('8080', whole(0, 65535), 'Port of the QUERY operations; 0 picks a free one.', 'PORT'),
  search_workers: setting(
    'auto',
    workers(() => availableParallelism() - 1),
    'Threads that search the index; auto is one less than the cores, at least 1.',
    'N',
  ),
  decode_workers: setting(
    'auto',
    workers(() => Math.min(availableParallelism(), 8)),
    'Child processes that decode and describe pictures; each starts when none is idle. auto is one per core, at most 8.',
    'N',
  ),
  save_index_after: setting(
    '2000',
    whole(0, 1_000_000_000),
    'Changes of the pictures of an application after which its index is saved in the data folder, so that a start reads the index instead of building it. A large application is saved after a five-hundredth of its pictures. 0 for never.',
    'CHANGES',
  ),
  add_wait: setting(
    '10',
    whole(1, LONGEST_WAIT),
    'Seconds that a picture to be added may wait for a decoding child; then `OVERLOADED`. At most 240. An operation is answered at most 5 seconds after the longer of the two waits, and each picture by its address may take 10 more; a proxy in front must wait longer.',
    'SECONDS',
  ),
  search_wait: setting(
    '5',
    whole(1, LONGEST_WAIT),
    'Seconds that any other operation may wait for a decoding child or for the searches before it; then `OVERLOADED`. At most 240.',
    'SECONDS',
  ),
  child_user: setting(
    '65534',
    whole(1, 4_294_967_294),
    'Number of the user and group of the child processes if the service runs as root. Choose one that nothing else uses.',
    'NUMBER',
  ),
  stop_grace: setting(
    '1000',
    whole(0, 8000),
    'Milliseconds in which a stopping server still accepts connections while `/ready` answers 503. A load balancer should check more often than that.',
    'MS',
  ),
  source_folders: setting(
    'off',
    folders,
    'Folders that sources may follow, with the folders inside; absolute paths, separated by commas; off for none.',
    'DIRS',
  ),
  source_buckets: setting(
    'off',
    origins,
    'Services of S3 whose buckets sources may follow: origins such as https://s3.eu-central-1.amazonaws.com, separated by commas; * for all; off for none.',
    'ORIGINS',
  ),
  cors_origins: setting(
    'off',
    origins,
    'Web sites whose scripts may call operations: origins such as https://shop.example, separated by commas; * for all; off for none.',
    'ORIGINS',
  ),
  fetch_hosts: setting(
    'off',
    hosts,
    'Hosts from which the service fetches pictures by their addresses, and to which webhooks send events: names such as images.example.org or *.example.org, separated by commas; * for all; off for none. A port other than 80 and 443 is named, as in *:8443. Addresses that lead into a network that is not public are refused.',
    'HOSTS',
  ),
  metrics: setting(
    'modify',
    oneOf('modify', 'query', 'both', 'off'),
    'Port of `/metrics` for Prometheus. The metrics contain no key and no name, but counts of pictures and requests.',
    'PORTS',
  ),
  log_level: setting(
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Least severe level of the log, which goes to stderr.',
    'LEVEL',
  ),
};

export type SettingName = keyof typeof settings;
export type Config = { readonly [name in SettingName]: ReturnType<(typeof settings)[name]['read']> };

export const settingNames = Object.keys(settings) as SettingName[];
export const variableOf = (name: SettingName): string => `SOSIA_${name.toUpperCase()}`;
export const flagOf = (name: SettingName): string => `--${name.replaceAll('_', '-')}`;

/** Invalid settings; the message lists every fault, one per line. */
export class ConfigError extends Error {}

export interface Sources {
  readonly flags?: { readonly [name in SettingName]?: string };
  /** Path of the settings file; otherwise the variable SOSIA_CONFIG. */
  readonly file?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Source {
  readonly text: (name: SettingName) => string | undefined;
  readonly label: (name: SettingName) => string;
}

/**
 * The settings of the process. Flags take precedence over the environment, the settings file and the defaults, in this order. An empty
 * variable counts as not set. SOSIA_ variables that are no setting are ignored: containers set some of their own.
 * @throws ConfigError with all faults together
 */
export function readConfig({ flags = {}, env = {}, file = env['SOSIA_CONFIG'] }: Sources): Config {
  const faults: string[] = [];
  const written = file ? readSettingsFile(file, faults) : {};

  const sources: Source[] = [
    { text: (name) => flags[name], label: flagOf },
    { text: (name) => env[variableOf(name)] || undefined, label: variableOf },
    { text: (name) => written[name], label: (name) => `${name} in ${file}` },
    { text: (name) => settings[name].fallback, label: (name) => name },
  ];

  const values = settingNames.map((name) => {
    const source = sources.find(({ text }) => text(name) !== undefined)!;
    const text = source.text(name)!;
    try {
      return [name, settings[name].read(text)];
    } catch (cause) {
      faults.push(`${source.label(name)}: ${(cause as Error).message}, got ${JSON.stringify(text)}`);
      return [name, undefined];
    }
  });

  const config = Object.fromEntries(values) as Config;
  for (const name of ['cluster_ca', 'cluster_cert', 'cluster_key', 'cluster_password'] as const)
    if (config[name] !== undefined && config.cluster === undefined)
      faults.push(`${name}: expected cluster, too, since the file is for its hosts alone`);
  if (config.cluster_search === 'lists' && config.cluster === undefined)
    faults.push('cluster_search: expected cluster, too, since a data folder always has lists');
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return Object.freeze(config);
}

function readSettingsFile(file: string, faults: string[]): Record<string, string> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    // a message of the parser quotes the text, which may be a password
    const { message } = cause as Error;
    const [place = ''] = /at position \d+/.exec(message) ?? [];
    faults.push(`settings file ${file}: ${cause instanceof SyntaxError ? `expected JSON ${place}`.trim() : message}`);
    return {};
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    faults.push(`settings file ${file}: expected one JSON object`);
    return {};
  }

  const written: Record<string, string> = {};
  for (const [name, value] of Object.entries(content)) {
    if (!Object.hasOwn(settings, name)) faults.push(`${name} in ${file}: no such setting`);
    else if (typeof value === 'string' || typeof value === 'number') written[name] = String(value);
    else
      faults.push(
        `${name} in ${file}: expected text or a number, got ${typeof value === 'object' ? 'an object or a list' : value}`,
      );
  }
  return written;
}

function setting<T>(fallback: string, read: (text: string) => T, about: string, argument: string): Setting<T> {
  return { fallback, read, about, argument };
}

function text(value: string): string {
  if (value === '') throw new Error('expected some text');
  return value;
}

/** Undefined where nothing is set. */
function possible(value: string): string | undefined {
  return value === '' ? undefined : value;
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`expected a whole number from ${least} to ${most}`);
  };
}

function workers(auto: () => number): (text: string) => number {
  return (text) => (text === 'auto' ? Math.max(1, auto()) : whole(1, 256)(text));
}

function origins(value: string): ReadonlySet<string> | 'all' | null {
  if (value === 'off') return null;
  if (value === '*') return 'all';
  const listed = value.split(',').map((each) => each.trim());
  const wrong = listed.find((each) => !URL.canParse(each) || new URL(each).origin !== each);
  if (wrong !== undefined) throw new Error('expected off, * or origins such as https://shop.example');
  return new Set(listed);
}

function folders(value: string): readonly string[] {
  if (value === 'off') return [];
  const listed = value.split(',').map((each) => each.trim());
  if (!listed.every(isAbsolute)) throw new Error('expected off or absolute paths, separated by commas');
  return listed;
}

function hosts(value: string): readonly string[] | null {
  if (value === 'off') return null;
  const patterns = value.split(',').map((each) => each.trim().toLowerCase());
  const form = /^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*)(:\d{1,5})?$/;
  if (!patterns.every((each) => form.test(each))) {
    throw new Error('expected off, * or hosts such as images.example.org and *.example.org:8443');
  }
  return patterns;
}

function oneOf<T extends string>(...allowed: T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((value) => value === text);
    if (found) return found;
    throw new Error(`expected one of ${allowed.join(', ')}`);
  };
}
