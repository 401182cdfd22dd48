import { setTimeout as pause } from 'node:timers/promises';
import { between, oneOf, shuffled, type Random } from '@sosia/testing/pictures/random';
import type { Site } from './site.ts';

export type FaultKind = 'nodeKill' | 'serviceKill' | 'cut' | 'stop' | 'fullDisk';

/** A fault from its begin until all copies are there again, by the clock of `performance`. */
export interface Trouble {
  readonly kind: FaultKind;
  /** Such as the node. */
  readonly what: string;
  readonly begin: number;
  readonly end: number;
}

/** How often each fault happens. */
export type FaultCounts = Readonly<Record<FaultKind, number>>;

/** Milliseconds that a full disk stays full. */
const FULL = 12_000;
/** Milliseconds that a stopped process stays so, at least and at most. */
const STOPPED = [4000, 25_000] as const;
/** The least milliseconds of a cut. */
const SHORTEST_CUT = 5000;

/** The kinds in a random order, each as often as it says. */
export function inRandomOrder(counts: FaultCounts, random: Random): FaultKind[] {
  const kinds = Object.entries(counts) as [FaultKind, number][];
  return shuffled(
    random,
    kinds.flatMap(([kind, count]) => Array.from({ length: count }, () => kind)),
  );
}

/** Makes one fault and takes it back. @param longestCut  milliseconds */
export async function trouble(site: Site, kind: FaultKind, random: Random, longestCut: number): Promise<Trouble> {
  const begin = performance.now();
  const what = await makers[kind](site, random, longestCut);
  await site.untilWhole();
  return { kind, what, begin, end: performance.now() };
}

const makers: Record<FaultKind, (site: Site, random: Random, longestCut: number) => Promise<string>> = {
  async nodeKill(site, random) {
    const name = oneOf(random, site.names);
    site.killNode(name);
    await pause(between(random, 0, 4000));
    return name;
  },
  async serviceKill(site, random) {
    const service = oneOf(random, site.services);
    await site.killService(service);
    await pause(between(random, 0, 2000));
    await site.startService(service);
    return `service ${service}`;
  },
  async cut(site, random, longest) {
    const name = oneOf(random, site.names);
    const from = oneOf(random, ['peers', 'all'] as const);
    const time = between(random, SHORTEST_CUT, Math.max(SHORTEST_CUT, longest));
    site.cut(name, from);
    await pause(time);
    site.mend(name);
    return `${name} from ${from} for ${Math.round(time)} ms`;
  },
  async stop(site, random) {
    const time = between(random, ...STOPPED);
    const [node, service] = [oneOf(random, site.names), oneOf(random, site.services)];
    const ofNode = random() < 0.7;
    const signal = (name: NodeJS.Signals): void =>
      ofNode ? site.signalNode(node, name) : site.signalService(service, name);
    signal('SIGSTOP');
    await pause(time);
    signal('SIGCONT');
    return `${ofNode ? node : `service ${service}`} for ${Math.round(time)} ms`;
  },
  async fullDisk(site) {
    site.fillDisk();
    await pause(FULL);
    site.freeDisk();
    return 'full disk';
  },
};
