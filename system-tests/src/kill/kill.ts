import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { samplesFolder } from '@sosia/fixtures';
import { between, oneOf, randomFor } from '@sosia/testing/pictures/random';
import type { Random } from '@sosia/testing/pictures/random';
import { type GateResult, sizeOf } from '../gate.ts';
import { createApplication, spawnServer, startServer, startServerUnder } from '@sosia/testing/service/server';
import type { Server } from '@sosia/testing/service/server';
import { ask } from '../ask.ts';
import type { Answer } from '../ask.ts';
import { Operator } from './operator.ts';

const KILLS = sizeOf('SOSIA_KILLS', { usual: 20, whole: 500 });
/** A life ends after some answered writes, and at the latest after so many milliseconds. */
const LONGEST_LIFE = 4000;
const WRITERS = 16;
const IDS_EACH = 12;
/**
 * Makes each write to the disk take 2 ms longer, so that a commit takes 20 ms and more. A change that is acknowledged before its commit is
 * then still unwritten when the server is killed, which on a fast disk hardly ever happens.
 */
const SLOW_DISK = ['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:delay_enter=2000'];
const slowly = ['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', ...SLOW_DISK];

/** What an id holds: the keywords of the one add that counts, which name the write and the picture; null for nothing. */
type Content = readonly [write: string, picture: string] | null;

/** All that an id may hold: one content when everything about it was answered, two after a write without an answer. */
type Allowed = readonly Content[];

/** One sample picture with its DNA. */
interface Sample {
  readonly name: string;
  readonly file: Uint8Array;
  readonly dna: string;
}

/**
 * Kills the server at random moments under parallel writers, always on the same data folder, and compares what is there
 * after each restart with what was answered before. Every second life has a slow disk, where strace can make one. Beside
 * the server, commands that change applications are killed too.
 */
export async function run(): Promise<GateResult> {
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const random = randomFor('kill', seed);
  const data = mkdtempSync(join(tmpdir(), 'sosia-kill-'));
  const key = createApplication(data, 'media-matching');
  const faults: string[] = [];
  const model = new Map<string, Allowed>();
  const seen = new Set<string>();
  const writes = new Writes();
  let slowestStart = 0;
  let slowLives = 0;
  const canBeSlow = !spawnSync('strace', ['--version']).error;
  const operator = new Operator(data, randomFor('kill', seed, 'operator'), faults);
  const operated = operator.work();

  let server = await startServer(data);
  const samples = await describeSamples(server, createApplication(data, 'media-matching'));
  for (let kill = 1; kill <= KILLS && faults.length === 0; kill++) {
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      new Writer(i, { server, key, samples, model, writes, faults, random: randomFor('kill', seed, kill, i) }).work(),
    );
    const enough = writes.answered + between(random, 0, 40);
    for (const begin = performance.now(); writes.answered < enough && performance.now() < begin + LONGEST_LIFE;) {
      await sleep(1);
    }
    await server.kill();
    await Promise.all(writers);
    if (kill % 5 === 0) await killAtStart(data, between(random, 0, 400));

    const slow = canBeSlow && kill % 2 === 1;
    if (slow) slowLives++;
    server = slow ? await startServerUnder(slowly, data) : await startServer(data);
    if (!slow) slowestStart = Math.max(slowestStart, server.startMs);
    faults.push(...(await compare(server, key, samples, model, seen)).map((fault) => `after kill ${kill}: ${fault}`));
  }
  operator.end();
  await operated;
  await server.stop();
  if (faults.length === 0) rmSync(data, { recursive: true });

  const present = [...model.values()].filter(([content]) => content).length;
  const figures = {
    seed,
    kills: KILLS,
    slowLives,
    ...writes,
    present,
    commands: { acknowledged: operator.acknowledged, killedBefore: operator.unacknowledged },
    slowestStartMs: Math.round(slowestStart),
    faults,
  };
  const reached = writes.answered > 0 && writes.unanswered > 0 && operator.acknowledged > 0;
  return { passed: faults.length === 0 && reached, figures };
}

class Writes {
  answered = 0;
  unanswered = 0;
  searches = 0;
}

interface Work {
  readonly server: Server;
  readonly key: string;
  readonly samples: readonly Sample[];
  readonly model: Map<string, Allowed>;
  readonly writes: Writes;
  readonly faults: string[];
  readonly random: Random;
}

/** Adds, deletes and searches its own ids, one request after another, until the server is gone. */
class Writer {
  readonly #name: number;
  readonly #work: Work;
  constructor(name: number, work: Work) {
    this.#name = name;
    this.#work = work;
  }

  async work(): Promise<void> {
    const { random } = this.#work;
    try {
      for (;;) {
        const id = `${this.#name}-${Math.floor(random() * IDS_EACH)}`;
        const [content = null] = this.#work.model.get(id) ?? [];
        if (content && random() < 0.4) await this.#delete(id, content);
        else if (content) await this.#find(id, content);
        else await this.#add(id);
      }
    } catch {
      // no answer: the server is gone, and the model allows both ends
    }
  }

  async #add(id: string): Promise<void> {
    const { server, key, samples, random } = this.#work;
    const sample = oneOf(random, samples);
    const content: Content = [`write-${this.#name}-${random()}`, sample.name];
    const picture = random() < 0.15 ? { image_content: sample.file } : { dna: sample.dna };
    const values = { application_key: key, image_id: id, keywords: content, ...picture };
    await this.#write(id, [null, content], () => ask(server, 'modify/AddImage', values));
    if (random() < 0.5) await this.#find(id, content);
  }

  async #delete(id: string, content: Content): Promise<void> {
    const { server, key } = this.#work;
    const values = { application_key: key, image_id: id };
    await this.#write(id, [content, null], () => ask(server, 'modify/DeleteImage', values));
    const { status } = await ask(server, 'query/GetImageById', values);
    if (status.code !== -2601) this.#work.faults.push(`${id} deleted, but GetImageById answers ${status.code}`);
  }

  /** @param change  what the id holds before and after the write */
  async #write(id: string, [before, after]: readonly [Content, Content], write: () => Promise<Answer>): Promise<void> {
    const { model, writes, faults } = this.#work;
    model.set(id, [before, after]);
    writes.unanswered++;
    const { status } = await write();
    writes.unanswered--;
    writes.answered++;
    const done = status.code === 0;
    if (!done && status.code !== OVERLOADED) faults.push(`a write of ${id} answered ${status.code} ${status.message}`);
    model.set(id, [done ? after : before]);
  }

  /** What was answered is found by the very next search. */
  async #find(id: string, content: Content): Promise<void> {
    const { server, key, samples, faults, writes } = this.#work;
    const { dna } = samples.find(({ name }) => name === content![1])!;
    const values = { application_key: key, dna, ids_list: id };
    const { images, status } = await ask(server, 'query/SearchImageByDna', values);
    writes.searches++;
    if (status.code === OVERLOADED) return;
    const [found] = images ?? [];
    if (found?.id !== id || found.score !== 0 || found.keywords.join() !== content!.join()) {
      faults.push(
        `${id} was added as ${content}, but a search for it answers ${status.code} ${JSON.stringify(images)}`,
      );
    }
  }
}

const OVERLOADED = -1910;

/** Adds the samples somewhere else to learn their DNA. */
async function describeSamples(server: Server, key: string): Promise<Sample[]> {
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  const samples: Sample[] = [];
  for (const name of names.slice(0, 6)) {
    const file = readFileSync(join(samplesFolder, name));
    await ask(server, 'modify/AddImage', { application_key: key, image_id: name, image_content: file });
    const { dna } = await ask(server, 'modify/GetDnaById', { application_key: key, image_id: name });
    samples.push({ name, file, dna: dna!.dna });
  }
  return samples;
}

/** A kill that may come while the store is replayed. */
async function killAtStart(data: string, delay: number): Promise<void> {
  const child = spawnServer(data);
  await sleep(delay);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/**
 * Compares the listing, the count and the index with the model; from then on each id holds what was seen. The DNA of the store is asked
 * once for each write: the index, which is made from it, is compared each time.
 */
async function compare(
  server: Server,
  key: string,
  samples: readonly Sample[],
  model: Map<string, Allowed>,
  seen: Set<string>,
): Promise<string[]> {
  const faults: string[] = [];
  const present = new Map<string, Content>();
  const { images } = await ask(server, 'query/ListImages', { application_key: key, nb_results: '1000' });
  const listing = new Map(images!.map(({ id, keywords }) => [id, keywords.join()]));
  for (const id of listing.keys()) if (!model.has(id)) faults.push(`${id} is there and was never added`);
  for (const [id, allowed] of model) {
    const found = listing.get(id);
    const content = allowed.find((it) => it?.join() === found);
    if (content === undefined) {
      faults.push(`${id} holds ${found ?? 'nothing'}, expected ${allowed.map((it) => it ?? 'nothing').join(' or ')}`);
      continue;
    }
    model.set(id, [content]);
    if (!content) continue;
    present.set(id, content);
    if (seen.has(content[0])) continue;
    seen.add(content[0]);
    const { dna } = await ask(server, 'modify/GetDnaById', { application_key: key, image_id: id });
    const sample = samples.find(({ name }) => name === content[1])!;
    if (dna?.dna !== sample.dna) faults.push(`${id} has the keywords of ${sample.name} but not its DNA`);
  }

  const { nb_loaded_images } = await ask(server, 'query/GetApplicationStatus', { application_key: key });
  if (nb_loaded_images !== present.size) faults.push(`${nb_loaded_images} pictures, expected ${present.size}`);

  for (const { name, dna } of samples) {
    const expected = [...present].filter(([, content]) => content![1] === name).map(([id]) => id);
    const all = { application_key: key, keywords: name, nb_results: '1000' };
    const listed = await ask(server, 'query/SearchImageByKeywords', all);
    const found = await ask(server, 'query/SearchImageByDna', { application_key: key, dna, nb_results: '1000' });
    const copies = found.images!.filter(({ score }) => score === 0);
    for (const [what, images] of [
      ['the listing', listed.images!],
      ['the index', copies],
    ] as const) {
      const ids = images.map(({ id }) => id).join(' ');
      if (ids !== expected.sort().join(' '))
        faults.push(`${what} of ${name} has ${ids}, expected ${expected.join(' ')}`);
    }
  }
  return faults;
}
