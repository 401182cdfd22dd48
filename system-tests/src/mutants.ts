import { Failure } from '@sosia/server';
import { Decoder } from '@sosia/server/decode';
import { mutant, seeds } from '@sosia/testing/hostile/mutants';
import { randomFor } from '@sosia/testing/pictures/random';
import { quantile } from '@sosia/testing/statistics';
import { systemTest } from '@sosia/testing/harness/system-test';

const AT_ONCE = 2;
/** Of 99 in 100 answers, in milliseconds. */
const P99_LIMIT = 500;
const EXPECTED = [
  'picture',
  'NOT_A_PICTURE',
  'UNSUPPORTED_FORMAT',
  'PICTURE_TOO_LARGE',
  'DAMAGED_PICTURE',
  'NOT_ENOUGH_INFORMATION',
];

/** Pictures whose bytes are changed, cut, doubled and spliced, through the decode children. */
export default systemTest({
  name: 'mutants',
  promise: 'Every damaged picture gets a clean answer in time, and no decode child dies.',
  sizes: { SOSIA_MUTANTS: { usual: 5000, whole: 20_000 } },
  async run({ seed, size, faults, expect }) {
    const files = await seeds();
    const pool = await Decoder.start({ children: AT_ONCE, report: (event) => faults.push(event) });
    const latencies: number[] = [];
    const answers: Record<string, number> = {};
    let next = 0;
    const client = async (): Promise<void> => {
      for (let i = next++; i < size.SOSIA_MUTANTS; i = next++) {
        const file = mutant(randomFor('mutant', seed, i), files);
        const start = performance.now();
        const answer = await pool.decode(file, 1024).then(
          () => 'picture',
          (cause: unknown) => (cause instanceof Failure ? cause.error : String(cause)),
        );
        latencies.push(performance.now() - start);
        answers[answer] = (answers[answer] ?? 0) + 1;
        const content = file.toString('base64').slice(0, 4000);
        expect(EXPECTED.includes(answer), `mutant ${i} is answered ${answer}: ${content}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    await pool.close();

    const p99Ms = Math.round(quantile(latencies, 0.99));
    expect(p99Ms <= P99_LIMIT, `99 of 100 answers take up to ${p99Ms} ms, expected at most ${P99_LIMIT}`);
    return { mutants: latencies.length, answers, p99Ms, slowestMs: Math.round(Math.max(...latencies)) };
  },
});
