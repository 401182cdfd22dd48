import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type Sosia } from '@sosia/client';
import { forged, kinds } from '@sosia/testing/hostile/forged';
import { addSamples, type Sample } from '@sosia/testing/service/samples';
import { codeOf, type Service } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import { systemTest } from '@sosia/testing/harness/system-test';

const CLIENTS = 8;
const TYPES = Object.keys(kinds) as (keyof typeof kinds)[];
/**
 * The longest 99th percentile of the other application, in milliseconds, where it has at most `QUIET` alone. On a machine that
 * does other work both are longer in proportion.
 */
const LONGEST = 100;
const QUIET = 20;

/**
 * One application holds DNA made by hand whose features are all alike. Eight clients search it with a query of the same kind, and a
 * ninth adds and deletes such pictures. Another application searches its own pictures before, meanwhile and afterwards.
 */
export default systemTest({
  name: 'costly-search',
  promise:
    'A search that is made to cost much has a bound, and delays the searches of another application only a little.',
  sizes: { SOSIA_FORGED: { usual: 1000, whole: 3000 }, SOSIA_SECONDS: { usual: 8, whole: 60 } },
  async run({ size, folder, expect, start }) {
    const figures: Record<string, unknown> = {};
    for (const type of TYPES) {
      const service = await start({ data: join(folder, type) });
      const outcome = await attack(service, type, size.SOSIA_FORGED, size.SOSIA_SECONDS);
      await service.stop();
      const { failures, beside, longest, costly } = outcome;
      figures[type] = outcome;
      expect(failures.length === 0, `${type}: ${failures.length} requests failed`);
      expect(beside.p99 <= longest, `${type}: 99 of 100 searches take up to ${beside.p99} ms, expected ${longest}`);
      expect(costly.answered > 0, `${type}: no costly search was answered`);
    }
    return { references: size.SOSIA_FORGED, clients: CLIENTS, ...figures };
  },
});

async function attack(service: Service, type: keyof typeof kinds, references: number, seconds: number) {
  const attacker = service.client(service.createApplication(type));
  const victim = service.client(service.createApplication('media-matching'));
  const [{ dna }] = (await addSamples(victim)) as [Sample]; // so that no decoding is measured

  const add = (i: number) => attacker.addDna(`forged ${i}`, forged(type, 'reference', 'mirror', i, { noise: 2 }));
  for (let i = 0; i < references; i += CLIENTS)
    await Promise.all(Array.from({ length: CLIENTS }, (_, k) => add(i + k)));
  const query = forged(type, 'query', 'mirror', 99_999, { noise: 3 });
  const before = service.processorMs();
  await attacker.searchByDna(query);
  const oneCostlySearchMs = service.processorMs() - before;

  const failures: string[] = [];
  const alone = await searchFor(seconds / 2);
  let over = false;
  const costly = { answered: 0, refused: 0 };
  const repeat = async (work: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; !over; round++) {
      const code = await codeOf(work(round)).catch(String);
      if (code === 0) costly.answered++;
      else if (code === errorCodes.OVERLOADED) costly.refused++;
      else failures.push(`a costly request answered ${code}`);
    }
  };
  const flood = [
    ...Array.from({ length: CLIENTS }, () => repeat(() => attacker.searchByDna(query))),
    repeat((round) =>
      round % 2 === 0
        ? add(references + CLIENTS + round)
        : attacker.delete(`forged ${references + CLIENTS + round - 1}`),
    ),
  ];
  const beside = await searchFor(seconds);
  over = true;
  await Promise.all(flood);
  alone.push(...(await searchFor(seconds / 2)));
  return {
    oneCostlySearchMs,
    alone: figuresOf(alone),
    beside: figuresOf(beside),
    longest: Math.round(LONGEST * Math.max(1, quantile(alone, 0.99) / QUIET)),
    costly,
    failures: failures.slice(0, 3),
  };

  /** One search of the other application after another, 50 a second at most. @returns latencies */
  async function searchFor(seconds: number): Promise<number[]> {
    const latencies: number[] = [];
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; await pause(20)) {
      const begin = performance.now();
      const found = await totalOf(victim, dna);
      latencies.push(performance.now() - begin);
      if (found === 0 || typeof found === 'string') failures.push(`a search beside: ${found}`);
    }
    return latencies;
  }
}

function totalOf(client: Sosia, dna: Uint8Array): Promise<number | string> {
  return client.searchByDna(dna).then(({ total }) => total, String);
}

function figuresOf(latencies: readonly number[]) {
  return { searches: latencies.length, p50: Math.round(median(latencies)), p99: Math.round(quantile(latencies, 0.99)) };
}
