import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import type { ArrivalsResult } from '@sosia/testing/service/arrivals';
import { arrive } from '@sosia/testing/service/arrivals';
import { putOn } from '@sosia/testing/service/load';
import { createApplication, startServer } from '@sosia/testing/service/server';
import { median, quantile } from '@sosia/testing/statistics';
import type { GateResult } from './system-test.ts';

const ROUNDS = 4;
/** Of a phase, alone or beside the flood. */
const SECONDS = 5;
/** How much of its share of the service the modest application asks for, and the greedy one. */
const MODEST = 0.5;
const GREEDY = 10;
/**
 * How many times its own latency alone the modest application may have beside the flood. 1.5 is aimed at for both; the 99th
 * percentile of some 200 searches is nearly their longest, so it has room for a stray one.
 */
const LARGEST_RATIO = { median: 1.5, p99: 1.75 };

/**
 * Two applications search by picture. The share of each is half of what the service can do, measured first. One asks for half of
 * its share, alone and beside one that asks for ten times its own, in turn, so that other work of the machine slows both alike.
 * Every search of the modest one must be answered, and neither its median nor its 99th percentile may be much longer than alone.
 */
export async function run(): Promise<GateResult> {
  const data = mkdtempSync(join(tmpdir(), 'sosia-fairness-'));
  const [modest, greedy] = [createApplication(data, 'media-matching'), createApplication(data, 'media-matching')];
  const server = await startServer(data);
  try {
    const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
    const files = names.map((name) => join(samplesFolder, name));
    const load = { modify: server.modify, query: server.query, files };
    for (const key of [modest, greedy]) {
      await putOn({ ...load, key, kind: 'add picture', clients: 2, requests: files.length, ids: names });
    }
    const most = { ...load, key: greedy, kind: 'search by picture', clients: 8, ids: [] } as const;
    await putOn({ ...most, requests: 50 }); // warm
    const { seconds } = await putOn({ ...most, requests: 250 });
    const share = 250 / seconds / 2;

    const asking = { query: server.query, key: modest, rate: MODEST * share, seconds: SECONDS, files };
    const rounds: { alone: ArrivalsResult; beside: ArrivalsResult; flooded: ArrivalsResult }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await arrive(asking);
      const flood = arrive({ ...asking, key: greedy, rate: GREEDY * share, seconds: SECONDS + 2, niceness: 15 });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const beside = await arrive(asking);
      rounds.push({ alone, beside, flooded: await flood });
    }

    const alone = together(rounds.map((round) => round.alone));
    const beside = together(rounds.map((round) => round.beside));
    const flooded = together(rounds.map((round) => round.flooded));
    const medianRatio = median(rounds.map((round) => median(round.beside.latencies) / median(round.alone.latencies)));
    const p99Ratio = quantile(beside.latencies, 0.99) / quantile(alone.latencies, 0.99);
    const figures = {
      sharePerSecond: round(share),
      alone: figuresOf(alone),
      beside: figuresOf(beside),
      medianRatio: round(medianRatio),
      p99Ratio: round(p99Ratio),
      flood: { ...figuresOf(flooded), answeredPerSecond: round(flooded.latencies.length / (ROUNDS * (SECONDS + 2))) },
    };
    const served = [alone, beside].every(({ sent, latencies }) => latencies.length === sent);
    const fair = medianRatio <= LARGEST_RATIO.median && p99Ratio <= LARGEST_RATIO.p99;
    return { passed: served && fair && flooded.refusals.length > 0, figures };
  } finally {
    await server.stop();
    rmSync(data, { recursive: true });
  }
}

function together(results: readonly ArrivalsResult[]): ArrivalsResult {
  const failures: Record<string, number> = {};
  for (const [what, times] of results.flatMap((result) => Object.entries(result.failures)))
    failures[what] = (failures[what] ?? 0) + times;
  return {
    sent: results.reduce((sum, { sent }) => sum + sent, 0),
    latencies: results.flatMap(({ latencies }) => latencies),
    refusals: results.flatMap(({ refusals }) => refusals),
    failures,
  };
}

function figuresOf({ sent, latencies, refusals, failures }: ArrivalsResult) {
  const p = (of: readonly number[], share: number) => (of.length > 0 ? Math.round(quantile(of, share)) : null);
  return {
    sent,
    answered: latencies.length,
    refused: refusals.length,
    ...(Object.keys(failures).length > 0 && { failures }),
    p50: latencies.length > 0 ? Math.round(median(latencies)) : null,
    p99: p(latencies, 0.99),
    refusedP99: p(refusals, 0.99),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
