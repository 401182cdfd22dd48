import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { samplesFolder } from '@sosia/fixtures';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { between, randomFor } from '@sosia/testing/pictures/random';
import { sampleIds } from '@sosia/testing/service/samples';
import { sosia, type Service } from '@sosia/testing/service/service';
import { systemTest } from '@sosia/testing/harness/system-test';

const JOURNAL = 'pictures.import.jsonl.journal';
/** Of each of the 24 samples. */
const COPIES = 15;
const PARALLEL = 4;
const KILLS = 12;

/**
 * Kills `sosia import` at random moments, every third time with the service, and runs the same command again until it ends. A
 * picture in the journal counts as acknowledged.
 */
export default systemTest({
  name: 'import',
  promise: 'An import that is killed, with or without its service, continues where it was and repeats nothing.',
  async run({ seed, folder, faults, expect, start }) {
    const random = randomFor('import', seed);
    const expected = makePictures(folder);
    const ledger = new Ledger();
    for (const id of expected) ledger.try(id, 'added');
    let service = await start();
    const key = service.createApplication('media-matching');
    const flags = ['--modify-port', new URL(service.modify).port, '--query-port', new URL(service.query).port];
    let kills = 0;
    let noted = journalOf(folder);
    while (kills < KILLS && faults.length === 0) {
      const child = command(folder, service, key, 'import', 'pictures', '--parallel', String(PARALLEL));
      const ended = once(child, 'exit');
      const enough = noted.size + between(random, 1, 40);
      while (child.exitCode === null && journalOf(folder).size < enough) await pause(between(random, 1, 30));
      if (child.exitCode !== null) break; // the import is complete
      const withService = ++kills % 3 === 0;
      if (withService) await service.kill();
      child.kill('SIGKILL');
      await ended;
      if (withService) service = await start({ flags });

      const before = noted;
      noted = journalOf(folder);
      const forgotten = [...before].filter((id) => !noted.has(id));
      expect(forgotten.length === 0, `kill ${kills}: no longer in the journal: ${forgotten.join()}`);
      for (const id of noted) ledger.acknowledge(id);
      faults.push(...(await compare()).map((fault) => `kill ${kills}: ${fault}`));
    }

    const last = command(folder, service, key, 'import', 'pictures', '--json');
    const [out] = await Promise.all([text(last.stdout!), once(last, 'exit')]);
    const { added, there_before, failed } = JSON.parse(out || '{}') as Record<string, number>;
    for (const id of expected) ledger.acknowledge(id);
    faults.push(...(await compare()).map((fault) => `in the end: ${fault}`));
    expect(failed === 0 && added! + there_before! === expected.length, `the last run reports ${out}`);
    const sentAgain = there_before! - noted.size;
    expect(sentAgain <= PARALLEL, `${sentAgain} were sent again`);
    expect(!existsSync(join(folder, JOURNAL)), 'the journal was left');
    expect(kills > 3, 'too little was tried');
    return { pictures: expected.length, kills, noted: noted.size, sentAgain, added };

    async function compare(): Promise<string[]> {
      const child = command(folder, service, key, 'export', '--no-dna');
      const [out] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
      const lines = out.split('\n').filter((line) => line !== '');
      const ids = lines.map((line) => (JSON.parse(line) as { image_id: string }).image_id);
      return ledger.compare(new Map(ids.map((id) => [id, 'added']))).map((fault) => fault.text);
    }
  },
});

/** @returns the ids they will have */
function makePictures(folder: string): string[] {
  const ids = Array.from({ length: COPIES }, (_, i) => sampleIds().map((name) => `${i}/${name}`)).flat();
  for (let i = 0; i < COPIES; i++) mkdirSync(join(folder, 'pictures', String(i)), { recursive: true });
  for (const id of ids) copyFileSync(join(samplesFolder, basename(id)), join(folder, 'pictures', id));
  return ids;
}

/** The ids in the journal; its first line names the run, and its last may be torn. */
function journalOf(folder: string): Set<string> {
  if (!existsSync(join(folder, JOURNAL))) return new Set();
  const lines = readFileSync(join(folder, JOURNAL), 'utf8').split('\n').slice(1, -1);
  return new Set(lines.map((line) => JSON.parse(line) as string));
}

function command(cwd: string, service: Service, key: string, ...words: string[]): ChildProcess {
  const env = service.environment(key);
  return spawn(process.execPath, [sosia, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
}
