import { Decoder } from '@sosia/server/decode';
import { mutant, seeds } from '@sosia/testing/hostile/mutants';
import { randomFor } from '@sosia/testing/pictures/random';
import { quantile } from '@sosia/testing/statistics';
import type { GateResult } from './gate.ts';

const MUTANTS = Number(process.env['SOSIA_MUTANTS'] ?? 5000);
const SEED = Number(process.env['SOSIA_SEED'] ?? 1);
const AT_ONCE = 2;
/** 99 of 100 answers come within this, in milliseconds. */
const P99_LIMIT = 500;

/** Pictures with bytes changed, cut, doubled and spliced, through the decode children: each gets an answer, no child dies. */
export async function run(): Promise<GateResult> {
  const files = await seeds();
  const deaths: string[] = [];
  const pool = await Decoder.start({ children: AT_ONCE, report: (event) => deaths.push(event) });
  const latencies: number[] = [];
  const answers: Record<string, number> = {};
  const killers: string[] = [];
  let next = 0;

  const client = async () => {
    for (let i = next++; i < MUTANTS; i = next++) {
      const file = mutant(randomFor('mutant', SEED, i), files);
      const start = performance.now();
      const answer = await pool.decode(file, 1024).then(
        () => 'picture',
        (cause) => String(cause.error ?? cause),
      );
      latencies.push(performance.now() - start);
      answers[answer] = (answers[answer] ?? 0) + 1;
      if (!expected.includes(answer))
        killers.push(`${answer}: mutant ${i} of seed ${SEED}: ${file.toString('base64').slice(0, 4000)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  await pool.close();

  killers.forEach((killer) => console.error(killer));
  const p99Ms = Math.round(quantile(latencies, 0.99));
  const slowestMs = Math.round(Math.max(...latencies));
  return {
    passed: deaths.length === 0 && killers.length === 0 && p99Ms <= P99_LIMIT,
    figures: { seed: SEED, mutants: latencies.length, answers, deaths, p99Ms, slowestMs },
  };
}

const expected = [
  'picture',
  'NOT_A_PICTURE',
  'UNSUPPORTED_FORMAT',
  'PICTURE_TOO_LARGE',
  'DAMAGED_PICTURE',
  'NOT_ENOUGH_INFORMATION',
];
