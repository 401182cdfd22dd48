import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../metrics/metrics.ts';
import { conditionOf } from './body.ts';
import type { Connection } from './connection.ts';
import { directoryIndex } from './layout.ts';

/** The setting `cluster_search`. */
const settings = ['terms', 'lists'] as const;
export type ClusterSearch = (typeof settings)[number];

/** Milliseconds between two signs of life of a node. */
const SIGN_INTERVAL = 5000;
/** Milliseconds that giving one takes at most, in a cluster at work. */
const SIGN_TIME = 2000;
/** Milliseconds without a sign of life after which a node has ended. */
const LONGEST_SILENCE = 20_000;

interface Parts {
  readonly metrics: Pick<Metrics, 'sample'>;
  readonly warn: (what: string) => void;
}

/**
 * Notices a node of the same indexes with another `cluster_search`, whose answers differ. Each node writes signs of life
 * into the document of its setting. Only durations are measured, since the clocks of the nodes may differ.
 */
export class SearchSetting {
  readonly #connection: Connection;
  readonly #own: ClusterSearch;
  readonly #warn: Parts['warn'];
  /** The document of the other setting as last read; `at` by the clock of `performance`. */
  #seen: { readonly version: string; readonly at: number } | undefined;
  #differs = false;

  constructor(connection: Connection, own: ClusterSearch, { metrics, warn }: Parts) {
    this.#connection = connection;
    this.#own = own;
    this.#warn = warn;
    metrics.sample('clusterSearchDiffers', () => [[Number(this.#differs)]]);
  }

  /** Until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    do
      await this.look(performance.now()).catch(() => {}); // others report that the cluster is away
    while (!(await pause(SIGN_INTERVAL, false, { signal }).catch(() => true)));
  }

  /** Looks for the others, then gives a sign. @param now  milliseconds of a monotonic clock */
  async look(now: number): Promise<void> {
    const other = this.#own === 'terms' ? 'lists' : 'terms';
    const { version, host } = await signOf(this.#connection, other);
    // the first look cannot know when the sign was given
    if (version !== undefined && version !== this.#seen?.version)
      this.#seen = { version, at: this.#seen ? now : -Infinity };
    const before = this.#differs;
    this.#differs = this.#seen !== undefined && now - this.#seen.at < LONGEST_SILENCE;
    if (this.#differs && !before) {
      const nodes = `cluster_search is ${other} on ${host}, and ${this.#own} here`;
      this.#warn(`${nodes}: the nodes answer differently until all have the same setting`);
    }
    const sign = { content: { host: hostname() } };
    await this.#connection.send({ method: 'PUT', path: pathOf(this.#connection, this.#own), body: sign }); // may be repeated
  }
}

/** The settings of the nodes that run; takes some seconds where nodes ever differed. For commands. */
export async function settingsInUse(connection: Connection): Promise<readonly ClusterSearch[]> {
  const versions = () => Promise.all(settings.map(async (each) => (await signOf(connection, each)).version));
  const before = await versions();
  const given = settings.filter((_, i) => before[i] !== undefined);
  if (given.length < 2) return given;
  await pause(SIGN_INTERVAL + SIGN_TIME);
  const after = await versions();
  return settings.filter((_, i) => before[i] !== after[i]);
}

/** The last sign of life of a node with a setting. */
async function signOf(connection: Connection, setting: ClusterSearch): Promise<{ version?: string; host?: string }> {
  const { status, body } = await connection.send({ method: 'GET', path: pathOf(connection, setting), expected: [404] });
  if (status === 404) return {};
  return { version: conditionOf(body), host: (body._source as { content: { host: string } }).content.host };
}

function pathOf({ address }: Connection, setting: ClusterSearch): string {
  return `/${directoryIndex(address.prefix)}/_doc/search-${setting}`;
}
