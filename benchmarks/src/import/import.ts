import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machine } from '@sosia/testing/machine';
import { corporaFolder, corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { sosia, startService, type Service } from '@sosia/testing/service/service';
import { table } from '@sosia/testing/table';

const FOLDERS = ['photos', 'photos_small', 'covers', 'logos', 'cats_dogs', 'styles', 'clothing'];

const { values: options } = parseArgs({
  options: { pictures: { type: 'string', default: '10000' }, parallel: { type: 'string', default: '4' } },
});
const wanted = Number(options.pictures);

const pictures = shuffled(
  randomFor('import', 1),
  FOLDERS.flatMap((folder) => corpusPictures(folder) ?? []),
);
if (pictures.length === 0) console.log('import: skipped, ../shared/corpora is absent');
else await measure();

interface Summary {
  readonly added: number;
  readonly there_before: number;
  readonly failed: number;
  readonly seconds: number;
}

async function measure(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'sosia-import-bench-'));
  const folder = join(home, 'pictures');
  // when the corpora are through, they come again under other names: the work is the same
  for (let i = 0; i < wanted; i++) {
    const path = pictures[i % pictures.length]!;
    const link = join(folder, String(Math.floor(i / pictures.length)), relative(corporaFolder, path));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  }
  const server = await startService({ data: join(home, 'data') });
  try {
    const key = server.createApplication('media-matching');
    const whole = await summaryOf(start(home, server, key, 'whole'));
    const halves = server.createApplication('media-matching');
    const { done, summary } = await killedHalfWay(home, server, halves);

    console.log(`## Import: \`sosia import\`, the service and its client on one machine\n\n${machine()}\n`);
    console.log(table(['run', 'pictures', 'failed', 's', 'a second'], [rowOf('from start to end', whole)]));
    const sent = summary.there_before - done;
    console.log(
      `\nKilled (SIGKILL) when ${done} of ${wanted} were in, and started again: ${summary.added} added, ${summary.failed} failed as in ` +
        `the whole run, ${sent} had come in without being noted (at most ${options.parallel} can), ` +
        `${await count(home, server, halves)} pictures at the end, ${await count(home, server, key)} in the whole run.`,
    );
    const lost = whole.added - summary.added - summary.there_before;
    if (lost !== 0 || sent < 0 || sent > Number(options.parallel)) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

function rowOf(run: string, { added, failed, seconds }: Summary): (string | number)[] {
  return [run, added, failed, seconds, ((added + failed) / seconds).toFixed(1)];
}

/** The report, and the journal beside it, are called after the run. */
function start(home: string, server: Service, key: string, run: string, ...words: string[]): ChildProcess {
  const all = words.length > 0 ? words : ['import', 'pictures', '--report', run, '--parallel', options.parallel];
  const env = server.environment(key);
  return spawn(process.execPath, [sosia, ...all, '--json'], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Some pictures of the corpora hold too little to be described, which ends a run with 1. */
async function summaryOf(child: ChildProcess): Promise<Summary> {
  const [out] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  return JSON.parse(out) as Summary;
}

async function killedHalfWay(home: string, server: Service, key: string) {
  const child = start(home, server, key, 'halves');
  while (noted(home) < wanted / 2) await sleep(20);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const done = noted(home);
  return { done, summary: await summaryOf(start(home, server, key, 'halves')) };
}

/** Lines of the journal but its first. */
function noted(home: string): number {
  try {
    return readFileSync(join(home, 'halves.journal'), 'latin1').split('\n').length - 2;
  } catch {
    return 0; // not begun
  }
}

async function count(home: string, server: Service, key: string): Promise<number> {
  const status = start(home, server, key, '', 'status');
  const [out] = await Promise.all([text(status.stdout!), once(status, 'exit')]);
  return (JSON.parse(out) as { pictures: number }).pictures;
}
