import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { corporaFolder, corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { sosia, startService, type Service } from '@sosia/testing/service/service';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';

const FOLDERS = ['photos', 'photos_small', 'covers', 'logos', 'cats_dogs', 'styles', 'clothing'];

/** The report of `sosia import --json`. */
interface Summary {
  readonly added: number;
  readonly there_before: number;
  readonly failed: number;
  readonly seconds: number;
}

export default benchmark({
  title: 'Import: the command line and the service on one machine',
  kind: 'speed',
  about:
    '`sosia import` of a folder from start to end; and again, killed when half of the pictures are stored, and resumed.',
  missing: missingCorpora(...FOLDERS),
  targets: { 'pictures a second': '>= 25', 'pictures lost by kill and resume': '<= 0' },
  options: { pictures: 10_000, parallel: 4 },
  run: ({ pictures, parallel }) =>
    inTemporaryFolder(async (home) => {
      linkPictures(join(home, 'pictures'), pictures);
      const service = await startService({ data: join(home, 'data') });
      try {
        const key = service.createApplication('media-matching');
        const whole = await summaryOf(startImport(home, service, key, 'whole', parallel));
        const second = service.createApplication('media-matching');
        const done = await killHalfWay(home, startImport(home, service, second, 'halves', parallel), pictures);
        const rest = await summaryOf(startImport(home, service, second, 'halves', parallel));
        const unnoted = rest.there_before - done;
        const lost = whole.added - (await service.client(second).count());
        if (lost !== 0 || unnoted < 0 || unnoted > parallel) throw new Error(`${lost} lost, ${unnoted} unnoted`);
        return {
          figures: {
            'pictures a second': (whole.added + whole.failed) / whole.seconds,
            'pictures lost by kill and resume': lost,
            'pictures sent twice': unnoted,
          },
          tables: {
            runs: [
              { run: 'whole', ...whole },
              { run: 'resumed', ...rest },
            ],
          },
        };
      } finally {
        await service.stop();
      }
    }),
});

/** Links to pictures of the corpora. Pictures that are used up are used again under other names. */
function linkPictures(folder: string, count: number): void {
  const pictures = shuffled(
    randomFor('import', 1),
    FOLDERS.flatMap((name) => corpusPictures(name)!),
  );
  for (let i = 0; i < count; i++) {
    const path = pictures[i % pictures.length]!;
    const link = join(folder, String(Math.floor(i / pictures.length)), relative(corporaFolder, path));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  }
}

/** @param run  names the report and the journal beside it */
function startImport(home: string, service: Service, key: string, run: string, parallel: number): ChildProcess {
  const words = ['import', 'pictures', '--report', run, '--parallel', String(parallel), '--json'];
  const env = service.environment(key);
  return spawn(process.execPath, [sosia, ...words], { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Some pictures of the corpora are too plain for a DNA, so the program may end with 1. */
async function summaryOf(child: ChildProcess): Promise<Summary> {
  const [out] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  return JSON.parse(out) as Summary;
}

/** @returns how many pictures the journal notes as stored */
async function killHalfWay(home: string, child: ChildProcess, pictures: number): Promise<number> {
  while (noted(home) < pictures / 2) await sleep(20);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return noted(home);
}

/** Lines of the journal without its first. */
function noted(home: string): number {
  try {
    return readFileSync(join(home, 'halves.journal'), 'latin1').split('\n').length - 2;
  } catch {
    return 0; // not begun
  }
}
