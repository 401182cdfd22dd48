import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { samplesFolder } from '@sosia/fixtures';
import { between, randomFor } from '@sosia/testing/pictures/random';
import { createApplication, startServer } from '@sosia/testing/service/server';
import type { Server } from '@sosia/testing/service/server';
import type { GateResult } from './gate.ts';

const program = fileURLToPath(new URL('../../cli/bin/sosia.js', import.meta.url));
const JOURNAL = 'pictures.import.jsonl.journal';
/** Of each of the 24 samples. */
const COPIES = 15;
const PARALLEL = 4;
const KILLS = 12;

/**
 * Kills `sosia import` at random moments, every third time with the server, and starts the same line again until it
 * comes to its end. What the journal has must be there after each kill; in the end every picture is there, and those that
 * the last run found there without having noted them are no more than were under way.
 */
export async function run(): Promise<GateResult> {
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const random = randomFor('import', seed);
  const home = mkdtempSync(join(tmpdir(), 'sosia-import-gate-'));
  const data = join(home, 'data');
  const expected = makePictures(home);
  const key = createApplication(data, 'media-matching');
  const faults: string[] = [];
  let kills = 0;

  let server = await startServer(data);
  const ports = ['--modify-port', new URL(server.modify).port, '--query-port', new URL(server.query).port];
  let done = noted(home);
  while (kills < KILLS && faults.length === 0) {
    const child = sosia(home, server, key, 'import', 'pictures', '--parallel', String(PARALLEL));
    const ended = once(child, 'exit');
    const enough = done.size + between(random, 1, 40);
    while (child.exitCode === null && noted(home).size < enough) await sleep(between(random, 1, 30));
    if (child.exitCode !== null) break; // all is in
    const withServer = ++kills % 3 === 0;
    if (withServer) await server.kill();
    child.kill('SIGKILL');
    await ended;
    if (withServer) server = await startServer(data, ...ports);

    const before = done;
    done = noted(home);
    const present = new Set(await idsOf(home, server, key));
    const forgotten = [...before].filter((id) => !done.has(id));
    const lost = [...done].filter((id) => !present.has(id));
    if (forgotten.length > 0) faults.push(`kill ${kills}: no longer noted: ${forgotten.join()}`);
    if (lost.length > 0) faults.push(`kill ${kills}: noted and not there: ${lost.join()}`);
  }

  const last = sosia(home, server, key, 'import', 'pictures', '--json');
  const [out] = await Promise.all([text(last.stdout!), once(last, 'exit')]);
  const { added, there_before, failed } = JSON.parse(out || '{}') as Record<string, number>;
  const present = await idsOf(home, server, key);
  const unnoted = there_before! - done.size;
  if (present.join() !== expected.join()) faults.push(`expected ${expected.length} pictures, found ${present.length}`);
  if (failed !== 0 || added! + there_before! !== expected.length) faults.push(`the last run said ${out}`);
  if (unnoted > PARALLEL) faults.push(`${unnoted} were sent again`);
  if (existsSync(join(home, JOURNAL))) faults.push('the journal was left');
  await server.stop();
  if (faults.length === 0) rmSync(home, { recursive: true });
  const figures = { seed, pictures: expected.length, kills, noted: done.size, unnoted, added, faults };
  return { passed: faults.length === 0 && kills > 3, figures };
}

/** @returns the ids they will have, in the order of their bytes */
function makePictures(home: string): string[] {
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  const ids = Array.from({ length: COPIES }, (_, i) => names.map((name) => `${i}/${name}`)).flat();
  for (let i = 0; i < COPIES; i++) mkdirSync(join(home, 'pictures', String(i)), { recursive: true });
  for (const id of ids) symlinkSync(join(samplesFolder, basename(id)), join(home, 'pictures', id));
  return ids.sort();
}

/** What the journal has; its first line says whose it is, and its last may be torn. */
function noted(home: string): Set<string> {
  if (!existsSync(join(home, JOURNAL))) return new Set();
  const lines = readFileSync(join(home, JOURNAL), 'utf8').split('\n').slice(1, -1);
  return new Set(lines.map((line) => JSON.parse(line) as string));
}

async function idsOf(home: string, server: Server, key: string): Promise<string[]> {
  const child = sosia(home, server, key, 'export', '--no-dna');
  const [out] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  const lines = out.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { image_id: string }).image_id);
}

function sosia(home: string, server: Server, key: string, ...words: string[]): ChildProcess {
  const env = { ...process.env, SOSIA_KEY: key, SOSIA_MODIFY_URL: server.modify, SOSIA_QUERY_URL: server.query };
  return spawn(process.execPath, [program, ...words], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
}
