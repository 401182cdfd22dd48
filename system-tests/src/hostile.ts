import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type ErrorName, type Sosia } from '@sosia/client';
import { Decoder } from '@sosia/server/decode';
import { bombs, type Guard } from '@sosia/testing/hostile/bombs';
import { hostileFiles, type HostileFile } from '@sosia/testing/hostile/files';
import { peakOf, processorMsOf } from '@sosia/testing/service/processes';
import { sampleFile } from '@sosia/testing/service/samples';
import { quantile } from '@sosia/testing/statistics';
import { systemTest, type Run } from '@sosia/testing/harness/system-test';

/** Longest answer to any file, in milliseconds. */
const TIME_LIMIT = 3000;
/** The most by which the memory of the service itself may grow, in MB. */
const GROWTH_LIMIT = 150;
/** The most memory of a child at any time, in MB: more than the costliest picture that is let in needs. */
const CHILD_LIMIT = 420;
/** The most that a child takes on top of its start, in MB, where the limit of memory is what holds it. */
const MEMORY_LIMIT = 297;
/** The most processor time of a child for one file, in milliseconds: the time limit, and what passes until it is dead. */
const WORK_LIMIT = 3300;
/** The most that reading a header may cost, in milliseconds of processor time and MB of memory. */
const HEADER_LIMIT = { ms: 300, MB: 25 };

const codes = (...names: ErrorName[]): number[] => names.map((name) => errorCodes[name]);
/** A decoder was stopped for its time, or for having had too little of a busy machine. */
const LATE = codes('DECODE_TIMEOUT', 'OVERLOADED');
const UNCLEAN = [...LATE, ...codes('INTERNAL', 'DECODER_CRASHED', 'QUARANTINED_PICTURE')];

interface Bomb extends HostileFile {
  readonly guard: Guard;
}

interface Answer {
  /** 0 for a picture, else the code of the failure. */
  readonly code: number;
  readonly message: string;
  readonly ms: number;
}

/**
 * Files made to harm or to test a decoder go through the decode children alone, then through AddImage while another client searches.
 * Bombs are made on the spot, and their cost is judged at its peak; files of ../shared/corpora are added where they are present.
 */
export default systemTest({
  name: 'hostile',
  promise: 'A hostile picture gets one clean answer in time, and harms nobody, at the peak of its cost.',
  needs: ['Linux'],
  /** How many bombs are tried for the guards that take seconds each. */
  sizes: { SOSIA_BOMBS: { usual: 2, whole: 100 } },
  async run(run) {
    const made = await makeBombs(run.size.SOSIA_BOMBS);
    const files = hostileFiles() ?? [];
    const exploded = await oneByOne(made, run);
    const decoder = await throughDecoder(files, run);
    const quick = made.filter(({ guard }) => !isSlow(guard));
    const http = await throughAddImage([...quick, ...files], run);
    return { files: made.length + files.length, bombs: exploded, decoder, http };
  },
});

function isSlow(guard: Guard): boolean {
  return guard === 'memory' || guard === 'time';
}

async function makeBombs(slow: number): Promise<Bomb[]> {
  const guards: readonly Guard[] = ['header', 'memory', 'time', 'several'];
  const chosen = guards.flatMap((guard) => {
    return bombs.filter((bomb) => bomb.guard === guard).slice(0, isSlow(guard) ? slow : Infinity);
  });
  const made: Bomb[] = [];
  for (const { name, guard, make } of chosen)
    made.push({ name: `bombs/${name}`, guard, content: await make(), expected: null });
  return made;
}

/** Each in a child of its own, so that the peak is that of the file. */
async function oneByOne(made: readonly Bomb[], { expect }: Run) {
  const most: Record<string, { MB: number; ms: number }> = {};
  for (const { guard, name, content } of made) {
    const pool = await Decoder.start({ children: 1 });
    const meter = meterOf(pool.pids[0]!);
    const { code, message } = await answerOf(pool.decode(content, 1024));
    const { MB, ms, whole } = meter.stop();
    await pool.close();
    const before = most[guard] ?? { MB: 0, ms: 0 };
    most[guard] = { MB: Math.max(before.MB, Math.round(MB)), ms: Math.max(before.ms, ms) };

    const got = `got ${code} after ${ms} ms of processor time and ${Math.round(MB)} MB: ${message.slice(0, 200)}`;
    const must = (holds: boolean, what: string) => expect(holds, `${name}: expected ${what}, ${got}`);
    if (guard === 'header') {
      must(code === errorCodes.PICTURE_TOO_LARGE, 'a refusal by the header');
      must(ms <= HEADER_LIMIT.ms && MB <= HEADER_LIMIT.MB, `at most ${HEADER_LIMIT.ms} ms and ${HEADER_LIMIT.MB} MB`);
    }
    if (guard === 'memory') must(MB <= MEMORY_LIMIT, `at most ${MEMORY_LIMIT} MB`);
    if (guard === 'time') must(LATE.includes(code), 'it to be stopped');
    else must(!UNCLEAN.includes(code), 'a clean answer');
    must(ms <= WORK_LIMIT, `at most ${WORK_LIMIT} ms of processor time`);
    must(whole <= CHILD_LIMIT, `a child of at most ${CHILD_LIMIT} MB`);
  }
  return { count: made.length, most };
}

/** The peak of a process in MB, over its start and as a whole, and its processor time; of one that is killed until just before. */
function meterOf(pid: number) {
  const before = { peak: peakOf(pid), ms: processorMsOf(pid) };
  let after = before;
  const look = (): void => {
    const now = { peak: peakOf(pid), ms: processorMsOf(pid) };
    if (!Number.isNaN(now.peak) && !Number.isNaN(now.ms)) after = now;
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { MB: after.peak - before.peak, ms: after.ms - before.ms, whole: after.peak };
    },
  };
}

async function throughDecoder(files: readonly HostileFile[], { faults }: Run) {
  const pool = await Decoder.start({ report: (event) => faults.push(`decoder: ${event}`) });
  const answers: Answer[] = [];
  for (const { content } of files) answers.push(await answerOf(pool.decode(content, 1024)));
  await pool.close();
  faults.push(...faultsOf('decoder', files, answers));
  return figuresOf(answers);
}

async function throughAddImage(files: readonly HostileFile[], { faults, expect, start }: Run) {
  const service = await start();
  const client = service.client(service.createApplication('media-matching'));
  const photo = sampleFile('kodim05.jpg');
  await client.add('clean', photo);

  const before = service.memory().main;
  const searches = searching(client, photo);
  const answers: Answer[] = [];
  let childPeak = 0;
  for (const { name, content } of files) {
    answers.push(await answerOf(client.add(name.replaceAll(';', '_'), content)));
    childPeak = Math.max(childPeak, service.memory().childPeak);
  }
  const { latencies, failures } = await searches.stop();
  const growth = Math.round(service.memory().mainPeak - before);
  faults.push(...faultsOf('AddImage', files, answers), ...failures);
  expect(growth <= GROWTH_LIMIT, `the service grew by ${growth} MB, expected at most ${GROWTH_LIMIT}`);
  expect(childPeak <= CHILD_LIMIT, `a child took ${childPeak} MB, expected at most ${CHILD_LIMIT}`);
  const searchP99Ms = Math.round(quantile(latencies, 0.99));
  const childPeakMB = Math.round(childPeak);
  return { ...figuresOf(answers), growthMB: growth, childPeakMB, searches: latencies.length, searchP99Ms };
}

/** One client that searches a clean picture again and again; each time it must be found. */
function searching(client: Sosia, photo: Uint8Array) {
  const failures: string[] = [];
  const latencies: number[] = [];
  const over = new AbortController();
  const work = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const found: string[] = [];
      const search = client.search(photo).then(({ images }) => found.push(...images.map(({ id }) => id)));
      const { ms, message } = await answerOf(search);
      latencies.push(ms);
      if (!found.includes('clean')) failures.push(`a search beside did not find the picture: ${message}`);
      await pause(50);
    }
  };
  const ended = work(over.signal);
  return {
    async stop() {
      over.abort();
      await ended;
      return { failures, latencies };
    },
  };
}

/** An answer without a code counts as an internal fault. */
async function answerOf(request: Promise<unknown>): Promise<Answer> {
  const begin = performance.now();
  const { code, message } = await request.then(
    () => ({ code: 0, message: '' }),
    (cause: unknown) => {
      const { code } = cause as { code?: unknown };
      return { code: typeof code === 'number' ? code : errorCodes.INTERNAL, message: String(cause) };
    },
  );
  return { code, message, ms: performance.now() - begin };
}

function faultsOf(way: string, files: readonly HostileFile[], answers: readonly Answer[]): string[] {
  return files.flatMap(({ name, expected }, i) => {
    const { code, message, ms } = answers[i]!;
    const taken = code === 0 || code === errorCodes.NOT_ENOUGH_INFORMATION; // a flat or tiny picture is read and then refused
    const fault = (what: string) => [
      `${way}, ${name}: expected ${what}; got ${code} in ${Math.round(ms)} ms: ${message.slice(0, 200)}`,
    ];
    if (name.startsWith('bombs/') && LATE.includes(code)) return [];
    if (UNCLEAN.includes(code)) return fault('a clean answer');
    if (ms > TIME_LIMIT) return fault(`an answer within ${TIME_LIMIT} ms`);
    if ((expected === 'accept' && !taken) || (expected === 'reject' && taken)) return fault(expected);
    return [];
  });
}

function figuresOf(answers: readonly Answer[]) {
  const accepted = answers.filter(({ code }) => code === 0).length;
  const slowestMs = Math.round(Math.max(0, ...answers.map(({ ms }) => ms)));
  return { accepted, refused: answers.length - accepted, slowestMs };
}
