import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, startServer } from '../service/server.ts';
import type { Server } from '../service/server.ts';
import { median } from '../statistics.ts';
import { ask } from './ask.ts';
import type { GateResult } from './gate.ts';

const MEGABYTES = 24;
const CYCLES = 3;
const STORE_CODES = [-2890, -2891];

/**
 * Fills a real disk: a file system of its own in memory. Adds fail by name and are never acknowledged falsely, searching goes
 * on, nobody dies; with room again and after a restart, everything acknowledged is there and adding goes on. Needs the
 * right to mount.
 */
export async function run(): Promise<GateResult> {
  const disk = mkdtempSync(join(tmpdir(), 'sosia-full-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmdirSync(disk);
    return { passed: false, figures: { 'not run, because missing': 'the right to mount' } };
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
  const present = new Set<string>();
  const uncertain = new Set<string>();
  const faults: string[] = [];
  const refusals = new Map<number, number>();
  const search = { before: [] as number[], full: [] as number[] };
  let server = await startServer(data);
  const dna = await dnaOf(server, key);
  present.add('first');
  let added = 0;

  for (let cycle = 1; cycle <= CYCLES && faults.length === 0; cycle++) {
    for (let i = 0; i < 10; i++) search.before.push(await searched(server, key, dna, faults));
    // room for some pictures, then for none
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 600_000)));
    let refused = 0;
    for (let i = 0; refused < 5 && i < 500; i++) {
      const id = `${cycle}-${i}`;
      const { status } = await ask(server, 'modify/AddImage', { application_key: key, image_id: id, dna });
      if (status.code === 0) {
        if (refused > 0) faults.push(`cycle ${cycle}: an add was acknowledged after a write had failed`);
        present.add(id);
        added++;
      } else {
        refused++;
        if (!STORE_CODES.includes(status.code))
          faults.push(`cycle ${cycle}: an add answered ${status.code} ${status.message}`);
        if (status.code === STORE_CODES[0]) uncertain.add(id);
        refusals.set(status.code, (refusals.get(status.code) ?? 0) + 1);
      }
    }
    if (refused === 0) faults.push(`cycle ${cycle}: the disk never was full`);
    for (let i = 0; i < 10; i++) search.full.push(await searched(server, key, dna, faults));
    const { application_db_status } = (await ask(server, 'modify/GetApplicationStatus', {
      application_key: key,
    })) as unknown as Record<string, string>;
    if (application_db_status !== 'read-only') faults.push(`cycle ${cycle}: the status is ${application_db_status}`);

    // killed while the disk is full, and started with room again
    await server.kill();
    rmSync(ballast);
    server = await startServer(data);
    faults.push(...(await compare(server, key, present, uncertain)).map((fault) => `cycle ${cycle}: ${fault}`));
    const id = `${cycle}-again`;
    const again = await ask(server, 'modify/AddImage', { application_key: key, image_id: id, dna });
    if (again.status.code === 0) present.add(id);
    else faults.push(`cycle ${cycle}: with room again an add answers ${again.status.message}`);
  }
  await server.stop();
  const figures = {
    cycles: CYCLES,
    added,
    refusals: Object.fromEntries(refusals),
    searchMs: Math.round(median(search.before)),
    searchWhenFullMs: Math.round(median(search.full)),
    faults,
  };
  return { passed: faults.length === 0, figures };
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

/** Everything acknowledged is there, and nothing but that and what was under way when the disk was full. */
async function compare(server: Server, key: string, present: Set<string>, uncertain: Set<string>): Promise<string[]> {
  const { images } = await ask(server, 'query/ListImages', { application_key: key, nb_results: '1000' });
  const found = new Set(images!.map(({ id }) => id));
  const lost = [...present].filter((id) => !found.has(id));
  const ghosts = [...found].filter((id) => !present.has(id) && !uncertain.has(id));
  for (const id of found) present.add(id);
  uncertain.clear();
  return [...lost.map((id) => `${id} is lost`), ...ghosts.map((id) => `${id} was never acknowledged`)];
}
