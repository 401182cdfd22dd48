import { chmodSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { randomFor } from '@sosia/testing/pictures/random';
import { mean, median } from '@sosia/testing/statistics';
import { systemTest } from '@sosia/testing/harness/system-test';
import { slowdownNow } from '@sosia/testing/service/slowdown';
import sharp from 'sharp';
import type { Event } from '../linear/order.ts';
import { Clients, type Stock, type Wait } from './clients.ts';
import { type FaultCounts, inRandomOrder, trouble, type Trouble } from './faults.ts';
import { examine, noticed } from './history.ts';
import { Site } from './site.ts';
import { Judge } from './judge.ts';
import { missingShard } from './missing-shard.ts';
import { visibleAtOnce } from './visible.ts';

const ADDERS = 8;
const SEARCHERS = 8;
/** Pictures that every search of the stock must find. */
const STOCK = 12;
/** Milliseconds until every client has an answer again; in proportion more on a busy machine. */
const BACK = 30_000;
/** Reads may be as old for as long after a fault, in milliseconds. */
const STALE = 20_000;

/** Clients add, delete and search through two services, while nodes and services are killed, stopped, cut off and fill their disk. */
export default systemTest({
  name: 'cluster',
  promise:
    'With a cluster of three nodes nothing acknowledged is lost or comes back, no answer is a part, and service is back within 30 s.',
  sizes: {
    SOSIA_NODE_KILLS: { usual: 4, whole: 200 },
    SOSIA_SERVICE_KILLS: { usual: 2, whole: 50 },
    SOSIA_CUTS: { usual: 3, whole: 50 },
    SOSIA_STOPS: { usual: 3, whole: 30 },
    SOSIA_FULL_DISKS: { usual: 1, whole: 5 },
    SOSIA_CUT_SECONDS: { usual: 15, whole: 60 },
    SOSIA_ADDS_AT_ONCE: { usual: 200, whole: 10_000 },
  },
  needs: ['OpenSearch'],
  async run({ seed, size, folder, faults, expect }) {
    chmodSync(folder, 0o755); // nodes run as another user
    const site = await Site.start(join(folder, 'cluster'), size.SOSIA_CUTS > 0);
    try {
      const stock = await prepare(site);
      const visible = await visibleAtOnce(site, size.SOSIA_ADDS_AT_ONCE, seed);
      expect(visible.missed === 0, `${visible.missed} pictures were missed by a search after their addition`);
      expect(visible.shown === 0, `${visible.shown} pictures were found by a search after their deletion`);

      const random = randomFor('cluster', seed);
      const notRun = cannot(site, size.SOSIA_CUTS > 0);
      const counts: FaultCounts = {
        nodeKill: size.SOSIA_NODE_KILLS,
        serviceKill: size.SOSIA_SERVICE_KILLS,
        cut: site.canCut ? size.SOSIA_CUTS : 0,
        stop: size.SOSIA_STOPS,
        fullDisk: site.canFill ? size.SOSIA_FULL_DISKS : 0,
      };
      const kinds = inRandomOrder(counts, random);
      if (kinds.length === 0) return { ...counts, visible };

      const clients = new Clients(site, stock, seed, (text) => void faults.push(text));
      const judge = new Judge(site, stock.ids);
      const working = Promise.all([clients.work(ADDERS, SEARCHERS), judge.work()]);
      await pause(2000);
      const troubles: Trouble[] = [];
      const slowdowns: number[] = [];
      const measuring = setInterval(() => slowdowns.push(slowdownNow()), 1000);
      for (const kind of kinds) {
        const made = await trouble(site, kind, random, 1000 * size.SOSIA_CUT_SECONDS);
        troubles.push(made);
        const wait = longestOf(clients.waits.filter(overlaps(made.begin, made.end)));
        console.error(
          `${troubles.length} ${kind}, ${made.what}: whole after ${longestOf([made])} ms, waits of ${wait} ms`,
        );
        await clients.untilAllSucceed(BACK);
      }
      clients.end();
      judge.end();
      await working;
      clearInterval(measuring);
      const slowdown = mean(slowdowns);
      for (const { begin, end } of clients.waits) {
        const near = troubles.filter(overlaps(begin, end)).map(({ kind, what }) => `${kind} ${what}`);
        expect(
          end - begin <= slowdown * BACK,
          `a client had no success for ${Math.round(end - begin)} ms: ${near.join(', ')}`,
        );
      }

      const last = await stateOf(site);
      const found = check(clients.histories, last, troubles, faults);
      const { lost, back, falseReads, triedReads } = noticed(found.histories);
      expect(
        lost > 0 && back > 0 && (falseReads > 0 || triedReads === 0),
        `of false histories were noticed: ${lost}, ${back}, ${falseReads}`,
      );
      const verdicts = await judge.result();
      expect(verdicts.lost === 0, `${verdicts.lost} confirmed verdicts are lost`);
      expect(verdicts.confirmed > 0, 'no verdict was confirmed');
      const incomplete = await missingShard(site, stock);
      expect(incomplete.partial === 0, `${incomplete.partial} searches answered without the pictures of a shard`);
      expect(incomplete.refused > 0, 'no search was refused while a shard was missing');
      return {
        ...counts,
        ...(notRun.length > 0 && { notRun }),
        visible,
        ...clients.counts,
        slowdown: Math.round(10 * slowdown) / 10,
        longestWaitMs: longestOf(clients.waits),
        waitsOver30s: clients.waits.filter(({ begin, end }) => end - begin > BACK).length,
        waitMs: byKind(troubles, ({ begin, end }) => longestOf(clients.waits.filter(overlaps(begin, end)))),
        wholeAgainMs: byKind(troubles, (each) => longestOf([each])),
        ...found.figures,
        verdicts,
        noticed: { lost, back, falseReads },
        incomplete,
      };
    } catch (cause) {
      console.error(site.log());
      throw cause;
    } finally {
      await site.close();
    }
  },
});

/** What this machine does not allow. */
function cannot(site: Site, cuts: boolean): string[] {
  const missing = [...(site.canCut || !cuts ? [] : ['network cuts']), ...(site.canFill ? [] : ['full disks'])];
  for (const each of missing) console.error(`NOT RUN: ${each}`);
  return missing;
}

/** Has few features, so that searches are cheap: faults are on trial here, not speed. */
const DRAWING = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
  <rect width="100" height="100" fill="#888"/>
  <polygon points="59,33 103,52 84,37" fill="#9c4ceb"/>
  <polygon points="51,85 8,41 27,97" fill="#94b4f3"/>
  <polygon points="103,73 52,61 54,68" fill="#12a532"/>
</svg>`);

/** Adds the pictures that stay: others than the query, so that votes and comparisons find them. */
async function prepare(site: Site): Promise<Stock> {
  const client = site.patientClient(0);
  const whole = await sharp(DRAWING).png().toBuffer();
  const part = await sharp(whole).extract({ left: 0, top: 0, width: 90, height: 95 }).jpeg({ quality: 80 }).toBuffer();
  const ids = Array.from({ length: STOCK }, (_, i) => `stock-${i}`);
  await client.add('whole', whole);
  const query = await client.dna('whole');
  await client.delete('whole');
  await client.add(ids[0]!, part, ['stock']);
  const own = await client.dna(ids[0]!);
  for (const id of ids.slice(1)) await client.addDna(id, own, ['stock']);
  return { ids, query, dna: query };
}

/** The pictures that are there, by id: the version, and when they were read. */
async function stateOf(site: Site): Promise<{ begin: number; end: number; versions: Map<string, number> }> {
  const begin = performance.now();
  const lists = await Promise.all(
    site.services.map(async (service) => {
      const versions = new Map<string, number>();
      for await (const { id, keywords } of site.client(service)!.images())
        if (!/^(stock|at once)/.test(id)) versions.set(id, Number(keywords[0]!.slice(1)));
      return versions;
    }),
  );
  const [versions, other] = lists as [Map<string, number>, Map<string, number>];
  if (versions.size !== other.size) throw new Error(`the services list ${versions.size} and ${other.size} pictures`);
  return { begin, end: performance.now(), versions };
}

function check(
  all: ReadonlyMap<string, readonly Event[]>,
  { begin, end, versions }: Awaited<ReturnType<typeof stateOf>>,
  troubles: readonly Trouble[],
  faults: string[],
) {
  const figures = { pictures: all.size, lost: 0, back: 0, withoutOrder: 0, staleReads: 0, oldestReadMs: 0 };
  const histories = [...all].map(([id, history]) => {
    const last: Event = { begin, end, open: false, kind: 'read', version: versions.get(id) ?? 0, done: true };
    const { lost, back, fault, stale } = examine(history, last);
    if (lost) figures.lost++;
    if (back) figures.back++;
    if (lost || back) faults.push(`${id} ${lost ? 'is lost' : 'is back'}: ${JSON.stringify(history.slice(-6))}`);
    if (fault) {
      figures.withoutOrder++;
      faults.push(`${id}: ${fault}`);
    }
    for (const { read, age } of stale) {
      figures.staleReads++;
      figures.oldestReadMs = Math.max(figures.oldestReadMs, age);
      const near = troubles.find((each) => each.begin <= read.end && read.begin <= each.end + STALE);
      const text = `${id}: a read of version ${read.version} is up to ${age} ms old`;
      if (age > STALE || !near) faults.push(`${text}, ${near ? `${near.kind} ${near.what}` : 'far from a fault'}`);
    }
    return { history, last };
  });
  for (const id of versions.keys()) if (!all.has(id)) faults.push(`${id} was never added`);
  return { histories, figures };
}

const overlaps =
  (begin: number, end: number) =>
  (wait: Wait): boolean =>
    wait.begin <= end && begin <= wait.end;

const longestOf = (waits: readonly Wait[]): number =>
  Math.round(Math.max(0, ...waits.map(({ begin, end }) => end - begin)));

/** Milliseconds by kind of fault. */
function byKind(troubles: readonly Trouble[], msOf: (trouble: Trouble) => number) {
  const kinds = [...new Set(troubles.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const times = troubles.filter((each) => each.kind === kind).map(msOf);
      return [kind, { median: Math.round(median(times)), most: Math.max(...times) }];
    }),
  );
}
