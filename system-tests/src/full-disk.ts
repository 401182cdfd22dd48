import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, startServer } from '@sosia/testing/service/server';
import type { Server } from '@sosia/testing/service/server';
import { median, quantile } from '@sosia/testing/statistics';
import { ask } from './ask.ts';
import { notRun, type GateResult } from './gate.ts';

const MEGABYTES = 64;
const CYCLES = 5;
const WRITERS = 8;
/** How long the disk is filled and freed under the writers, in milliseconds, and how often. */
const TURMOIL = { turns: 6, each: 400 };
const STORE_FULL = -2897;
/** What a picture and its place in the index of the database take, log included. */
const SOME_PICTURES = 600_000;

/**
 * Fills a real disk: a file system of its own in memory. While it is full, changes are refused by name, searching goes on and
 * nobody dies; with room again the very next change is stored, without a restart. Then it is filled and freed again and
 * again under writers. Whatever was refused never shows, and whatever was acknowledged is there, also after a kill while
 * the disk is full. Needs the right to mount.
 */
export async function run(): Promise<GateResult> {
  const disk = mkdtempSync(join(tmpdir(), 'sosia-full-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmdirSync(disk);
    return notRun('the right to mount');
  }
  try {
    return await fill(disk);
  } finally {
    execFileSync('umount', ['-l', disk]);
    rmdirSync(disk);
  }
}

async function fill(disk: string): Promise<GateResult> {
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const key = createApplication(data, 'media-matching');
  /** What was acknowledged and not deleted, and what a kill left without an answer. */
  const present = new Set<string>();
  const unanswered = new Set<string>();
  const faults: string[] = [];
  const refused = { adds: 0, deletes: 0 };
  const search = { before: [] as number[], full: [] as number[] };
  let server = await startServer(data);
  const dna = await dnaOf(server, key);
  present.add('first');
  let added = 0;
  let underWriters = 0;

  for (let cycle = 1; cycle <= CYCLES && faults.length === 0; cycle++) {
    const fault = (what: string) => void faults.push(`cycle ${cycle}: ${what}`);
    for (let i = 0; i < 20; i++) search.before.push(await searched(server, key, dna, faults));
    takeAllBut(SOME_PICTURES);
    for (let i = 0, before = refused.adds; refused.adds < before + 5; i++) {
      if (i === 500) return { passed: false, figures: { faults: ['the disk never was full'] } };
      await add(`${cycle}-${i}`, fault);
    }
    for (let i = 0; i < 20; i++) search.full.push(await searched(server, key, dna, faults));
    if ((await status()) !== 'read-only') fault(`the status of a full disk is ${await status()}`);
    await remove([...present].at(-1)!, fault);

    rmSync(ballast);
    if ((await status()) !== 'available') fault(`with room again the status is ${await status()}`);
    if (!(await add(`${cycle}-again`, fault))) fault('with room again an add is refused');
    await compare('with room again');

    // the disk is full at any moment of a write, and the last time the service is killed while it is
    let over = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; !over; i++) {
        const id = `${cycle}-writer-${writer}-${i}`;
        unanswered.add(id);
        const stored = await add(id, fault).catch(() => undefined);
        if (stored === undefined) return;
        unanswered.delete(id);
        if (stored) underWriters++;
        if (stored && i % 2) await remove(id, fault).catch(() => unanswered.add(id));
      }
    });
    for (let turn = 0; turn < TURMOIL.turns; turn++) {
      takeAllBut(SOME_PICTURES / 4);
      await pause(TURMOIL.each);
      if (turn < TURMOIL.turns - 1) rmSync(ballast);
      await pause(TURMOIL.each / 4);
    }
    over = cycle % 2 === 0;
    if (over) await Promise.all(writers);
    await server.kill();
    over = true;
    await Promise.all(writers);
    rmSync(ballast);
    server = await startServer(data);
    await compare('killed and started again');
    if (!(await add(`${cycle}-after`, fault))) fault('after the start an add is refused');
  }
  await server.stop();
  const figures = {
    cycles: CYCLES,
    added,
    underWriters,
    refused,
    searchMs: quantiles(search.before),
    searchWhenFullMs: quantiles(search.full),
    faults,
  };
  const reached = refused.deletes > 0 && underWriters > 0;
  return { passed: faults.length === 0 && reached, figures };

  /** Fills the disk but for so many bytes. */
  function takeAllBut(bytes: number): void {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause; // writers took it first, so it is full
    }
  }

  async function add(image_id: string, fault: (what: string) => void): Promise<boolean> {
    const { status } = await ask(server, 'modify/AddImage', { application_key: key, image_id, dna });
    if (status.code === 0) {
      present.add(image_id);
      added++;
    } else if (status.code === STORE_FULL) refused.adds++;
    else fault(`an add answered ${status.code} ${status.message}`);
    return status.code === 0;
  }

  async function remove(image_id: string, fault: (what: string) => void): Promise<void> {
    const { status } = await ask(server, 'modify/DeleteImage', { application_key: key, image_id });
    if (status.code === 0) present.delete(image_id);
    else if (status.code === STORE_FULL) refused.deletes++;
    else fault(`a delete answered ${status.code} ${status.message}`);
  }

  async function status(): Promise<string> {
    const answer = await ask(server, 'modify/GetApplicationStatus', { application_key: key });
    return (answer as unknown as Record<string, string>)['application_db_status']!;
  }

  /** What is there is what was acknowledged; what a kill left without an answer may be there or not. */
  async function compare(when: string): Promise<void> {
    const all = { application_key: key, nb_results: '1000' };
    const { images, nb_results_found } = await ask(server, 'query/ListImages', all);
    if (nb_results_found! > 1000) faults.push('too many pictures to be compared');
    const found = new Set(images!.map(({ id }) => id));
    const indexed = new Set<string>();
    for (const ids of chunks([...found], 50)) {
      const copies = await ask(server, 'query/SearchImageByDna', { ...all, dna, ids_list: ids.join(';') });
      for (const { id, score } of copies.images!) if (score === 0) indexed.add(id);
    }
    const lost = [...present].filter((id) => !found.has(id) && !unanswered.has(id));
    const ghosts = [...found].filter((id) => !present.has(id) && !unanswered.has(id));
    const hidden = [...found].filter((id) => !indexed.has(id));
    faults.push(
      ...lost.map((id) => `${when}: ${id} is lost`),
      ...ghosts.map((id) => `${when}: ${id} was refused or deleted and is there`),
      ...hidden.map((id) => `${when}: ${id} is listed and not found`),
    );
    present.clear();
    for (const id of found) present.add(id);
    unanswered.clear();
  }
}

function chunks<T>(all: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, i) => all.slice(i * length, (i + 1) * length));
}

function quantiles(times: readonly number[]) {
  return { p50: Math.round(median(times)), p99: Math.round(quantile(times, 0.99)) };
}

async function dnaOf(server: Server, key: string): Promise<string> {
  const image_content = readFileSync(join(samplesFolder, 'kodim01.jpg'));
  await ask(server, 'modify/AddImage', { application_key: key, image_id: 'first', image_content });
  return (await ask(server, 'modify/GetDnaById', { application_key: key, image_id: 'first' })).dna!.dna;
}

/** @returns milliseconds */
async function searched(server: Server, key: string, dna: string, faults: string[]): Promise<number> {
  const begin = performance.now();
  const { status, images } = await ask(server, 'query/SearchImageByDna', {
    application_key: key,
    dna,
    ids_list: 'first',
  });
  if (status.code !== 0 || images?.[0]?.score !== 0) faults.push(`a search answered ${status.code} ${status.message}`);
  return performance.now() - begin;
}
