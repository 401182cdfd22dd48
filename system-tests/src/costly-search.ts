import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { forged, kinds } from '@sosia/testing/hostile/forged';
import { createApplication, startServer, type Server } from '@sosia/testing/service/server';
import { median, quantile } from '@sosia/testing/statistics';
import { ask, type Answer } from './ask.ts';
import { type GateResult, sizeOf } from './gate.ts';

const CLIENTS = 8;
const OVERLOADED = -1910;
const TYPES = Object.keys(kinds) as (keyof typeof kinds)[];
/**
 * Longest 99th percentile of the other application, in milliseconds, where it has at most `QUIET` when alone. On a machine that is
 * busy with other work both are longer in proportion.
 */
const LONGEST = 100;
const QUIET = 20;

/**
 * One application holds DNA made by hand whose features are all alike, and 8 clients search it with a query of the same kind;
 * a ninth adds and deletes such pictures. Another application searches its own few pictures before, meanwhile and afterwards.
 * Its searches must all be answered. Those of the costly application may be refused as overload.
 */
export async function run(): Promise<GateResult> {
  const references = sizeOf('SOSIA_FORGED', { usual: 1000, whole: 3000 });
  const seconds = sizeOf('SOSIA_SECONDS', { usual: 8, whole: 60 });
  const figures: Record<string, unknown> = {};
  let passed = true;
  for (const type of TYPES) {
    const outcome = await against(type, references, seconds);
    figures[type] = outcome;
    passed &&= outcome.failures.length === 0 && outcome.beside.p99 <= outcome.longest && outcome.costly.answered > 0;
  }
  return { passed, figures: { references, clients: CLIENTS, ...figures } };
}

async function against(type: keyof typeof kinds, references: number, seconds: number) {
  const data = mkdtempSync(join(tmpdir(), 'sosia-costly-'));
  const [attacker, victim] = [createApplication(data, type), createApplication(data, 'media-matching')];
  const server = await startServer(data);
  try {
    const query = await settle(server, victim);
    const add = (i: number) =>
      ask(server, 'modify/AddImage', {
        application_key: attacker,
        image_id: `forged ${i}`,
        dna: forged(type, 'reference', 'mirror', i, { noise: 2 }),
      });
    for (let i = 0; i < references; i += CLIENTS)
      await Promise.all(Array.from({ length: CLIENTS }, (_, k) => add(i + k).then(assertDone)));
    const worst = { application_key: attacker, dna: forged(type, 'query', 'mirror', 99_999, { noise: 3 }) };

    const before = server.processorMs();
    assertDone(await ask(server, 'query/SearchImageByDna', worst));
    const one = server.processorMs() - before;

    const failures: string[] = [];
    const alone = await asking(server, query, seconds / 2, failures);
    let going = true;
    let [answered, refused] = [0, 0];
    const until = async (work: (round: number) => Promise<Answer>): Promise<void> => {
      for (let round = 0; going; round++) {
        await work(round).then(
          ({ status }) => {
            if (status.code === 0) answered++;
            else if (status.code === OVERLOADED) refused++;
            else failures.push(status.message);
          },
          (cause) => failures.push(String(cause)),
        );
      }
    };
    const flood = [
      ...Array.from({ length: CLIENTS }, () => until(() => ask(server, 'query/SearchImageByDna', worst))),
      until((round) =>
        round % 2 === 0
          ? add(references + round)
          : ask(server, 'modify/DeleteImage', {
              application_key: attacker,
              image_id: `forged ${references + round - 1}`,
            }),
      ),
    ];
    const beside = await asking(server, query, seconds, failures);
    going = false;
    await Promise.all(flood);
    alone.push(...(await asking(server, query, seconds / 2, failures)));
    return {
      oneCostlySearchMs: Math.round(one),
      alone: figuresOf(alone),
      beside: figuresOf(beside),
      longest: Math.round(LONGEST * Math.max(1, quantile(alone, 0.99) / QUIET)),
      costly: { answered, refused },
      failures: failures.slice(0, 3),
    };
  } finally {
    await server.stop();
    rmSync(data, { recursive: true });
  }
}

/** Adds the sample pictures and returns what asks for one of them, by its DNA: no decoding is measured here. */
async function settle(server: Server, key: string) {
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  for (const name of names) {
    const image_content = readFileSync(join(samplesFolder, name));
    assertDone(await ask(server, 'modify/AddImage', { application_key: key, image_id: name, image_content }));
  }
  const { dna } = await ask(server, 'modify/GetDnaById', { application_key: key, image_id: names[0]! });
  return { application_key: key, dna: Buffer.from(dna!.dna, 'base64') };
}

/** One search after another, 50 a second at most. Latencies in milliseconds. */
async function asking(
  server: Server,
  query: { application_key: string; dna: Buffer },
  seconds: number,
  failures: string[],
) {
  const latencies: number[] = [];
  for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
    const begin = performance.now();
    const { status, nb_results_found } = await ask(server, 'query/SearchImageByDna', query);
    latencies.push(performance.now() - begin);
    if (status.code !== 0 || !nb_results_found) failures.push(`search beside: ${status.message}, ${nb_results_found}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return latencies;
}

function figuresOf(latencies: readonly number[]) {
  return { searches: latencies.length, p50: Math.round(median(latencies)), p99: Math.round(quantile(latencies, 0.99)) };
}

function assertDone({ status }: Answer): void {
  if (status.code !== 0) throw new Error(status.message);
}
