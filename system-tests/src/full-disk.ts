import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '@sosia/client';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { sampleFile } from '@sosia/testing/service/samples';
import { codeOf } from '@sosia/testing/service/service';
import { median, quantile } from '@sosia/testing/statistics';
import { systemTest, type Figures, type Run } from '@sosia/testing/harness/system-test';

const MEGABYTES = 64;
const CYCLES = 5;
const WRITERS = 8;
/** How often the disk is filled and freed under the writers, and for how many milliseconds. */
const TURMOIL = { cycles: 6, each: 400 };
/** What a picture and its place in the index of the database take, log included. */
const SOME_PICTURES = 600_000;

/** The disk is a file system in memory of its own, five times filled and freed, then under writers, and killed while full. */
export default systemTest({
  name: 'full-disk',
  promise:
    'On a full disk changes are refused by name, searches go on, and with room again changes are stored at once.',
  needs: ['the right to mount'],
  async run(run) {
    const disk = join(run.folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', disk]);
    try {
      return await fill(run, disk);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  },
});

async function fill({ faults, expect, start }: Run, disk: string): Promise<Figures> {
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const ledger = new Ledger();
  const refused = { adds: 0, deletes: 0 };
  const searchMs = { before: [] as number[], full: [] as number[] };
  let service = await start({ data });
  const key = service.createApplication('media-matching');
  let client = service.client(key);
  await ledger.write('first', 'added', async () => {
    await client.add('first', sampleFile('kodim01.jpg'));
    return true;
  });
  const dna = await client.dna('first');
  let underWriters = 0;

  for (let cycle = 1; cycle <= CYCLES && faults.length === 0; cycle++) {
    for (let i = 0; i < 20; i++) searchMs.before.push(await timedSearch());
    takeAllBut(SOME_PICTURES);
    const enough = refused.adds + 5;
    for (let i = 0; refused.adds < enough && i < 500; i++) await add(`${cycle}-${i}`);
    expect(refused.adds >= enough, `cycle ${cycle}: the disk never was full`);
    for (let i = 0; i < 20; i++) searchMs.full.push(await timedSearch());
    expect(!(await client.writable()), `cycle ${cycle}: a full disk counts as writable`);
    await remove(ledger.present().at(-1)![0]);

    rmSync(ballast);
    expect(await client.writable(), `cycle ${cycle}: with room again the service is read-only`);
    expect(await add(`${cycle}-again`), `cycle ${cycle}: with room again an add is refused`);
    await compare(`cycle ${cycle}, with room again`);

    // the disk fills up at any moment of a write; in the end the service is killed while the disk is full
    let over = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      try {
        for (let i = 0; !over; i++) {
          const id = `${cycle}-writer-${writer}-${i}`;
          const stored = await add(id);
          if (stored) underWriters++;
          if (stored && i % 2) await remove(id);
        }
      } catch {
        // no answer: the service was killed
      }
    });
    for (let cycle = 0; cycle < TURMOIL.cycles; cycle++) {
      takeAllBut(SOME_PICTURES / 4);
      await pause(TURMOIL.each);
      if (cycle < TURMOIL.cycles - 1) rmSync(ballast);
      await pause(TURMOIL.each / 4);
    }
    over = cycle % 2 === 0;
    if (over) await Promise.all(writers);
    await service.kill();
    over = true;
    await Promise.all(writers);
    rmSync(ballast);
    service = await start({ data });
    client = service.client(key);
    await compare(`cycle ${cycle}, killed and started again`);
    expect(await add(`${cycle}-after`), `cycle ${cycle}: after the start an add is refused`);
  }
  await service.stop();
  expect(refused.deletes > 0 && underWriters > 0, 'too little was tried');
  const { acknowledged } = ledger;
  const quantiles = (times: number[]) => ({ p50: Math.round(median(times)), p99: Math.round(quantile(times, 0.99)) });
  const [searches, searchesWhenFull] = [quantiles(searchMs.before), quantiles(searchMs.full)];
  return {
    cycles: CYCLES,
    acknowledged,
    underWriters,
    refused,
    searchMs: searches,
    searchWhenFullMs: searchesWhenFull,
  };

  /** Fills the disk but for so many bytes. */
  function takeAllBut(bytes: number): void {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause; // writers took the room first
    }
  }

  function add(id: string): Promise<boolean> {
    return write(id, 'added', 'adds', () => client.addDna(id, dna));
  }

  function remove(id: string): Promise<boolean> {
    return write(id, null, 'deletes', () => client.delete(id));
  }

  function write(id: string, content: string | null, kind: keyof typeof refused, send: () => Promise<unknown>) {
    return ledger.write(id, content, async () => {
      const code = await codeOf(send());
      if (code === errorCodes.STORE_FULL) refused[kind]++;
      else expect(code === 0, `one of the ${kind} answered ${code}`);
      return code === 0;
    });
  }

  async function compare(when: string): Promise<void> {
    const found = new Map<string, string>();
    for await (const { id } of client.images()) found.set(id, 'added');
    faults.push(...ledger.compare(found).map(({ text }) => `${when}: ${text}`));
    ledger.settle(found);
    const all = [...found.keys()];
    while (all.length > 0) {
      const ids = all.splice(0, 50);
      const { images } = await client.searchByDna(dna, { ids, count: 50 });
      const indexed = images.filter(({ score }) => score === 0).map(({ id }) => id);
      for (const id of ids) expect(indexed.includes(id), `${when}: ${id} is listed and not found by a search`);
    }
  }

  async function timedSearch(): Promise<number> {
    const begin = performance.now();
    const { images } = await client.searchByDna(dna, { ids: ['first'] });
    expect(images[0]?.score === 0, 'a search did not find the picture');
    return performance.now() - begin;
  }
}
