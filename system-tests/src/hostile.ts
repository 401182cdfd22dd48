import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPicture } from '@sosia/fixtures';
import { Decoder } from '@sosia/server/decode';
import sharp from 'sharp';
import { bombs, type Guard } from '@sosia/testing/hostile/bombs';
import { hostileFiles, type HostileFile } from '@sosia/testing/hostile/files';
import { createApplication, startServer, type Server } from '@sosia/testing/service/server';
import { quantile } from '@sosia/testing/statistics';
import { notRun, sizeOf, type GateResult } from './gate.ts';

/** Longest answer to any file, in milliseconds. */
const TIME_LIMIT = 3000;
/** Most by which the server's own memory may grow, in MB. */
const GROWTH_LIMIT = 150;
/** Most memory that a child takes at any time, in MB: more than the costliest picture that is let in needs. */
const CHILD_LIMIT = 420;
/** Most that a child takes on top of what it takes at its start, in MB, where the limit of memory is what holds it. */
const MEMORY_LIMIT = 297;
/** Most processor time of a child for one file, in milliseconds: the time limit, and what passes until it is dead. */
const WORK_LIMIT = 3300;
/** What reading a header may cost: milliseconds of processor time and MB of memory. */
const HEADER_LIMIT = { ms: 300, MB: 25 };

/** Codes of a decoder that was stopped or died, of an internal fault, of a busy service. */
const unclean = [-1000, -1014, -1015, -1016, -1910];
const NOT_ENOUGH_INFORMATION = -1002;
const PICTURE_TOO_LARGE = -1012;
/** Stopped for its time, or for having got too little of a busy machine. */
const late = [-1014, -1910];

interface Answer {
  /** 0 for a picture, else the code of the failure. */
  readonly code: number;
  readonly words: string;
  readonly ms: number;
}

/**
 * Every file made to harm or to test a decoder, first through the decode children alone, then through AddImage while
 * another client searches: one clean answer each in time, nobody dies, memory stays bounded. Bombs are made on the spot,
 * and their cost is judged at its peak; the files of ../shared/corpora come on top where they are.
 */
export async function run(): Promise<GateResult> {
  if (process.platform !== 'linux') return notRun('Linux, whose /proc has the peak of a process');
  const bombs = await inHouse();
  const files = [...bombs.map(({ file }) => file), ...(hostileFiles() ?? [])];
  const exploded = await oneByOne(bombs);
  const decoded = await throughDecoder(files.slice(bombs.length));
  const served = await throughAddImage(files.filter((file) => !isSlow(bombs, file)));
  const exceptions = [...exploded.exceptions, ...decoded.exceptions, ...served.exceptions];
  exceptions.forEach((exception) => console.error(exception));
  return {
    passed: exceptions.length === 0,
    figures: {
      files: files.length,
      bombs: exploded.figures,
      decoder: decoded.figures,
      http: served.figures,
      exceptions: exceptions.length,
    },
  };
}

const guards: readonly Guard[] = ['header', 'memory', 'time', 'several'];

/** Those of `memory` and `time` take seconds each. */
function mostOf(guard: Guard): number {
  return guard === 'memory' || guard === 'time' ? sizeOf('SOSIA_BOMBS', { usual: 2, whole: 100 }) : 100;
}

/** Judged once is enough for those that take seconds. */
function isSlow(made: readonly Made[], file: HostileFile): boolean {
  return made.some((each) => each.file === file && ['memory', 'time'].includes(each.guard));
}

interface Made {
  readonly guard: Guard;
  readonly file: HostileFile;
}

async function inHouse(): Promise<Made[]> {
  const made: Made[] = [];
  const chosen = guards.flatMap((guard) => bombs.filter((bomb) => bomb.guard === guard).slice(0, mostOf(guard)));
  for (const { name, guard, make } of chosen)
    made.push({ guard, file: { name: `bombs/${name}`, content: await make(), expected: null } });
  return made;
}

/** Each in a child of its own, so that the peak is that of the file. */
async function oneByOne(made: readonly Made[]) {
  const exceptions: string[] = [];
  const most: Record<Guard, { MB: number; ms: number }> = {
    header: { MB: 0, ms: 0 },
    memory: { MB: 0, ms: 0 },
    time: { MB: 0, ms: 0 },
    several: { MB: 0, ms: 0 },
  };
  for (const { guard, file } of made) {
    const pool = await Decoder.start({ children: 1 });
    const meter = meterOf(pool.pids[0]!);
    const { code, words } = await pool.decode(file.content, 1024).then(() => ({ code: 0, words: '' }), codeAndWords);
    const { MB, ms, whole } = meter.stop();
    await pool.close();
    most[guard] = { MB: Math.max(most[guard].MB, Math.round(MB)), ms: Math.max(most[guard].ms, ms) };
    const got = `got ${code} after ${ms} ms of processor time and ${Math.round(MB)} MB: ${words.slice(0, 200)}`;
    const expect = (holds: boolean, what: string) => holds || exceptions.push(`${file.name}: expected ${what}, ${got}`);
    if (guard === 'header') {
      expect(code === PICTURE_TOO_LARGE, 'a refusal by the header');
      expect(ms <= HEADER_LIMIT.ms && MB <= HEADER_LIMIT.MB, `at most ${HEADER_LIMIT.ms} ms and ${HEADER_LIMIT.MB} MB`);
    }
    if (guard === 'memory') expect(MB <= MEMORY_LIMIT, `at most ${MEMORY_LIMIT} MB`);
    if (guard === 'time') expect(late.includes(code), 'it to be stopped');
    else expect(!unclean.includes(code), 'a clean answer');
    expect(ms <= WORK_LIMIT, `at most ${WORK_LIMIT} ms of processor time`);
    expect(whole <= CHILD_LIMIT, `a child of at most ${CHILD_LIMIT} MB`);
  }
  return { exceptions, figures: { count: made.length, most } };
}

/** The peak of a process over what it had before, in MB, its peak as a whole, and its processor time in milliseconds; of one that is killed until just before. */
function meterOf(pid: number) {
  const look = () => {
    try {
      const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return { peak, ms: 10 * (Number(stat[11]) + Number(stat[12])) };
    } catch {
      return undefined; // it has ended
    }
  };
  const before = look()!;
  let last = before;
  const timer = setInterval(() => (last = look() ?? last), 20);
  return {
    stop() {
      clearInterval(timer);
      last = look() ?? last;
      return { MB: last.peak - before.peak, ms: last.ms - before.ms, whole: last.peak };
    },
  };
}

async function throughDecoder(files: readonly HostileFile[]) {
  const deaths: string[] = [];
  const pool = await Decoder.start({ report: (event) => deaths.push(event) });
  const answers: Answer[] = [];
  for (const { content } of files) {
    answers.push(await timed(() => pool.decode(content, 1024).then(() => ({ code: 0, words: '' }), codeAndWords)));
  }
  await pool.close();
  return { exceptions: [...exceptionsOf('decoder', files, answers), ...deaths], figures: figuresOf(answers) };
}

function codeAndWords(cause: { code?: number; message: string }): { code: number; words: string } {
  return { code: cause.code ?? -1000, words: cause.message };
}

async function throughAddImage(files: readonly HostileFile[]) {
  const data = mkdtempSync(join(tmpdir(), 'sosia-hostile-'));
  const key = createApplication(data, 'media-matching');
  const server = await startServer(data);
  try {
    const photo = await photograph();
    const add = (id: string, content: Uint8Array) =>
      post(`${server.modify}/api/v2.0/enginemodify/json/AddImage`, { application_key: key, image_id: id }, content);
    await add('clean', photo);

    const before = server.memory().main;
    const beside = searching(server, key, photo);
    const answers: Answer[] = [];
    let childPeak = 0;
    for (const { name, content } of files) {
      answers.push(await timed(() => add(name.replaceAll(';', '_'), content)));
      childPeak = Math.max(childPeak, server.memory().childPeak);
    }
    const searches = await beside.stop();
    const growth = server.memory().mainPeak - before;

    const exceptions = exceptionsOf('AddImage', files, answers);
    if (growth > GROWTH_LIMIT) exceptions.push(`the server grew by ${growth} MB, expected at most ${GROWTH_LIMIT}`);
    if (childPeak > CHILD_LIMIT) exceptions.push(`a child took ${childPeak} MB, expected at most ${CHILD_LIMIT}`);
    exceptions.push(...searches.exceptions);
    const figures = { ...figuresOf(answers), growthMB: Math.round(growth), childPeakMB: Math.round(childPeak) };
    return { exceptions, figures: { ...figures, searches: searches.figures } };
  } finally {
    await server.stop();
    rmSync(data, { recursive: true });
  }
}

/** One client that searches a clean picture again and again; each time it must be found. */
function searching(server: Server, key: string, photo: Uint8Array) {
  const exceptions: string[] = [];
  const latencies: number[] = [];
  let stopped = false;
  const search = async () => {
    while (!stopped) {
      const url = `${server.query}/api/v2.0/enginequery/json/SearchImageByUpload`;
      const { ms, ...answer } = await timed(() => post(url, { application_key: key }, photo));
      latencies.push(ms);
      if (answer.code !== 0 || !answer.words.includes('"clean"')) exceptions.push(`a search beside: ${answer.words}`);
      await sleep(50);
    }
  };
  const ended = search();
  return {
    async stop() {
      stopped = true;
      await ended;
      return { exceptions, figures: { count: latencies.length, p99Ms: Math.round(quantile(latencies, 0.99)) } };
    },
  };
}

/** What is sent answers with a status object, or this fails; the words are the whole body. */
async function post(url: string, parameters: Record<string, string>, content: Uint8Array) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parameters)) form.append(name, value);
  form.append('image_content', new Blob([Uint8Array.from(content)]), 'picture');
  const words = await (await fetch(url, { method: 'POST', body: form })).text();
  const { status } = JSON.parse(words) as { status: { code: number } };
  return { code: status.code, words };
}

/** A photograph that is sound. */
function photograph(): Promise<Buffer> {
  const { width, height, rgb } = readPicture('kodim05');
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

async function timed(ask: () => Promise<{ code: number; words: string }>): Promise<Answer> {
  const start = performance.now();
  const answer = await ask();
  return { ...answer, ms: performance.now() - start };
}

function exceptionsOf(way: string, files: readonly HostileFile[], answers: readonly Answer[]): string[] {
  return files.flatMap(({ name, expected }, i) => {
    const { code, words, ms } = answers[i]!;
    const taken = code === 0 || code === NOT_ENOUGH_INFORMATION; // a flat or tiny picture is read and then refused
    const told = (fault: string) =>
      `${way}, ${name}: ${fault}; got ${code} in ${Math.round(ms)} ms: ${words.slice(0, 200)}`;
    if (name.startsWith('bombs/') && late.includes(code)) return [];
    if (unclean.includes(code)) return [told('expected a clean answer')];
    if (ms > TIME_LIMIT) return [told(`expected an answer within ${TIME_LIMIT} ms`)];
    if ((expected === 'accept' && !taken) || (expected === 'reject' && taken)) return [told(`expected ${expected}`)];
    return [];
  });
}

function figuresOf(answers: readonly Answer[]) {
  return {
    accepted: answers.filter(({ code }) => code === 0).length,
    refused: answers.filter(({ code }) => code !== 0).length,
    slowestMs: Math.round(Math.max(0, ...answers.map(({ ms }) => ms))),
  };
}
