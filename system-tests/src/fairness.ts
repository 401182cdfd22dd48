import { setTimeout as pause } from 'node:timers/promises';
import { putLoad, type LoadResult } from '@sosia/testing/service/load';
import { sampleIds, samplePaths } from '@sosia/testing/service/samples';
import { median, quantile } from '@sosia/testing/statistics';
import { systemTest } from '@sosia/testing/harness/system-test';

const ROUNDS = 4;
/** Of a phase, alone or beside the flood. */
const SECONDS = 5;
/** How much of its share of the service each application sends. */
const MODEST = 0.5;
const GREEDY = 10;
/**
 * The most by which the flood may multiply the latencies of the modest application. The aim is 1.5 for both; the 99th percentile
 * of some 200 searches is nearly their maximum, so the limit leaves room for one stray search.
 */
const LARGEST_RATIO = { median: 1.5, p99: 1.75 };

/**
 * The share of an application is half of the measured throughput. The modest application searches alone and beside the flood
 * alternately, so that other work on the machine slows both alike.
 */
export default systemTest({
  name: 'fairness',
  promise: 'An application that sends ten times its share does not shut out one that sends half of its share.',
  async run({ start, expect }) {
    const service = await start();
    const [modest, greedy] = [service.createApplication('media-matching'), service.createApplication('media-matching')];
    const { modify, query } = service;
    const load = { modify, query, files: samplePaths, mustFind: true, kind: 'search by picture' } as const;
    for (const key of [modest, greedy]) {
      await putLoad({
        ...load,
        key,
        kind: 'add picture',
        mustFind: false,
        clients: 2,
        requests: samplePaths.length,
        ids: sampleIds(),
      });
    }
    await putLoad({ ...load, key: greedy, clients: 8, requests: 50 }); // warm
    const { seconds } = await putLoad({ ...load, key: greedy, clients: 8, requests: 250 });
    const share = 250 / seconds / 2;

    const searches = { ...load, key: modest, rate: MODEST * share, seconds: SECONDS };
    const rounds: { alone: LoadResult; beside: LoadResult; flood: LoadResult }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await putLoad(searches);
      const flood = putLoad({ ...searches, key: greedy, rate: GREEDY * share, seconds: SECONDS + 2, niceness: 15 });
      await pause(1500);
      rounds.push({ alone, beside: await putLoad(searches), flood: await flood });
    }

    const alone = together(rounds.map((round) => round.alone));
    const beside = together(rounds.map((round) => round.beside));
    const flood = together(rounds.map((round) => round.flood));
    const medianRatio = median(rounds.map((round) => median(round.beside.latencies) / median(round.alone.latencies)));
    const p99Ratio = quantile(beside.latencies, 0.99) / quantile(alone.latencies, 0.99);
    for (const { sent, latencies } of [alone, beside]) {
      expect(latencies.length === sent, `the modest application has ${latencies.length} of ${sent} answers`);
    }
    expect(
      medianRatio <= LARGEST_RATIO.median,
      `the median is ${round(medianRatio)} times that of the application alone`,
    );
    expect(
      p99Ratio <= LARGEST_RATIO.p99,
      `the 99th percentile is ${round(p99Ratio)} times that of the application alone`,
    );
    expect(flood.refusals.length > 0, 'the flood was never refused');
    const answeredPerSecond = round(flood.latencies.length / (ROUNDS * (SECONDS + 2)));
    return {
      sharePerSecond: round(share),
      alone: figuresOf(alone),
      beside: figuresOf(beside),
      medianRatio: round(medianRatio),
      p99Ratio: round(p99Ratio),
      flood: { ...figuresOf(flood), answeredPerSecond },
    };
  },
});

type Counts = Pick<LoadResult, 'sent' | 'latencies' | 'refusals'> & { failures: object[] };

function together(results: readonly LoadResult[]): Counts {
  return {
    sent: results.reduce((sum, { sent }) => sum + sent, 0),
    latencies: results.flatMap(({ latencies }) => latencies),
    refusals: results.flatMap(({ refusals }) => refusals),
    failures: results.map(({ failures }) => failures).filter((failures) => Object.keys(failures).length > 0),
  };
}

function figuresOf({ sent, latencies, refusals, failures }: Counts) {
  const p = (of: readonly number[], share: number) => (of.length > 0 ? Math.round(quantile(of, share)) : null);
  return {
    sent,
    answered: latencies.length,
    refused: refusals.length,
    ...(failures.length > 0 && { failures }),
    p50: p(latencies, 0.5),
    p99: p(latencies, 0.99),
    refusedP99: p(refusals, 0.99),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
