import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DecoderPool } from '@sosia/server/decode';
import { hostileFiles, type HostileFile } from '../hostile/files.ts';
import { createApplication, startServer, type Server } from '../service/server.ts';
import { quantile } from '../statistics.ts';
import type { GateResult } from './gate.ts';

/** Longest answer to any file, in milliseconds. */
const TIME_LIMIT = 3000;
/** Most by which the server's own memory may grow, in MB. */
const GROWTH_LIMIT = 150;
/** Most memory of the two children together, in MB. */
const CHILDREN_LIMIT = 800;

/** Codes of a decoder that was stopped or died, of an internal fault, of a busy service. */
const unclean = [-1000, -1014, -1015, -1016, -1910];
const NOT_ENOUGH_INFORMATION = -1002;

interface Answer {
  /** 0 for a picture, else the code of the failure. */
  readonly code: number;
  readonly words: string;
  readonly ms: number;
}

/**
 * Every file made to harm or to test a decoder, first through the decode children alone, then through AddImage while
 * another client searches: one clean answer each in time, nobody dies, memory stays bounded.
 */
export async function run(): Promise<GateResult> {
  const files = hostileFiles();
  if (!files) return { passed: false, figures: { absent: 'the folders hostile and decoders of ../shared/corpora' } };

  const decoded = await throughDecoder(files);
  const served = await throughAddImage(files);
  const exceptions = [...decoded.exceptions, ...served.exceptions];
  exceptions.forEach((exception) => console.error(exception));
  return {
    passed: exceptions.length === 0,
    figures: { files: files.length, decoder: decoded.figures, http: served.figures, exceptions: exceptions.length },
  };
}

async function throughDecoder(files: readonly HostileFile[]) {
  const deaths: string[] = [];
  const pool = await DecoderPool.start({ report: (event) => deaths.push(event) });
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
    const photo = files.find(({ name }) => name.endsWith('hostile/jpeg_baseline.jpg'))!.content;
    const add = (id: string, content: Uint8Array) =>
      post(`${server.modify}/api/v2.0/enginemodify/json/AddImage`, { application_key: key, image_id: id }, content);
    await add('clean', photo);

    const before = server.memory().main;
    const beside = searching(server, key, photo);
    const answers: Answer[] = [];
    let childrenPeak = 0;
    for (const { name, content } of files) {
      answers.push(await timed(() => add(name.replaceAll(';', '_'), content)));
      childrenPeak = Math.max(childrenPeak, server.memory().children);
    }
    const searches = await beside.stop();
    const growth = server.memory().mainPeak - before;

    const exceptions = exceptionsOf('AddImage', files, answers);
    if (growth > GROWTH_LIMIT) exceptions.push(`the server grew by ${growth} MB, expected at most ${GROWTH_LIMIT}`);
    if (childrenPeak > CHILDREN_LIMIT)
      exceptions.push(`the children took ${childrenPeak} MB, expected at most ${CHILDREN_LIMIT}`);
    exceptions.push(...searches.exceptions);
    const figures = { ...figuresOf(answers), growthMB: Math.round(growth), childrenPeakMB: Math.round(childrenPeak) };
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
    slowestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
  };
}
