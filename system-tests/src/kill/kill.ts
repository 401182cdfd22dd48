import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type Image, type Sosia } from '@sosia/client';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { between, oneOf, randomFor, type Random } from '@sosia/testing/pictures/random';
import { endProcess } from '@sosia/testing/service/processes';
import { addSamples, type Sample } from '@sosia/testing/service/samples';
import { codeOf, spawnService } from '@sosia/testing/service/service';
import { systemTest } from '@sosia/testing/harness/system-test';
import { Operator } from './operator.ts';

/** The service is killed after some answered writes, and at the latest after so many milliseconds. */
const LONGEST_LIFE = 4000;
const WRITERS = 16;
const IDS_EACH = 12;
/**
 * Makes each write to the disk take 2 ms longer, so that a commit takes 20 ms and more. A change that is acknowledged before its
 * commit is then still unwritten at the kill, which is rare on a fast disk.
 */
const SLOW_DISK = ['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:delay_enter=2000'];
const tracer = ['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', ...SLOW_DISK];

/**
 * The data folder stays the same over all kills. Every second life has a slow disk where strace is installed. Beside the service,
 * commands that change applications are killed too.
 */
export default systemTest({
  name: 'kill',
  promise: 'An acknowledged change survives kill -9; an unacknowledged one is there wholly or not at all.',
  sizes: { SOSIA_KILLS: { usual: 20, whole: 500 } },
  async run({ seed, size, folder, faults, expect, start }) {
    const random = randomFor('kill', seed);
    const data = join(folder, 'data');
    const ledger = new Ledger();
    const met = { kills: 0, slowLives: 0, searches: 0, slowestStartMs: 0 };
    const canBeSlow = !spawnSync('strace', ['--version']).error;

    let service = await start();
    const key = service.createApplication('media-matching');
    const operator = new Operator(data, randomFor('kill', seed, 'operator'), faults);
    const operated = operator.work();
    const samples = await addSamples(service.client(service.createApplication('media-matching')), 6);
    const checkedDna = new Set<string>();
    while (met.kills < size.SOSIA_KILLS && faults.length === 0) {
      met.kills++;
      const client = service.client(key);
      const fault = (text: string): void => void faults.push(text);
      const searched = (): number => met.searches++;
      const writers = Array.from({ length: WRITERS }, (_, i) => {
        const random = randomFor('kill', seed, met.kills, i);
        return write(String(i), { client, samples, ledger, random, fault, searched });
      });
      const enough = ledger.acknowledged + between(random, 0, 40);
      for (const begin = performance.now(); ledger.acknowledged < enough; await pause(1)) {
        if (performance.now() > begin + LONGEST_LIFE) break;
      }
      await service.kill();
      await Promise.all(writers);
      if (met.kills % 5 === 0) await killAtStart(data, between(random, 0, 400));

      const slow = canBeSlow && met.kills % 2 === 1;
      service = await start(slow ? { tracer } : {});
      if (slow) met.slowLives++;
      else met.slowestStartMs = Math.max(met.slowestStartMs, Math.round(service.startMs));
      const found = await compare(service.client(key), samples, ledger, checkedDna);
      faults.push(...found.map((fault) => `after kill ${met.kills}: ${fault}`));
    }
    operator.end();
    await operated;

    const { acknowledged, refused, unanswered } = ledger;
    expect(acknowledged > 0 && unanswered > 0 && operator.acknowledged > 0, 'too little was tried');
    const commands = { acknowledged: operator.acknowledged, killedBefore: operator.unacknowledged };
    return { ...met, acknowledged, refused, unanswered, present: ledger.present().length, commands };
  },
});

interface Work {
  readonly client: Sosia;
  readonly samples: readonly Sample[];
  readonly ledger: Ledger;
  readonly random: Random;
  readonly fault: (text: string) => void;
  readonly searched: () => void;
}

/** Adds, deletes and searches its own ids, one request after another, until the service is killed. */
async function write(name: string, { client, samples, ledger, random, fault, searched }: Work): Promise<void> {
  try {
    for (;;) {
      const id = `${name}-${Math.floor(random() * IDS_EACH)}`;
      const content = ledger.contentOf(id);
      if (content && random() < 0.4) await remove(id);
      else if (content) await find(id, content);
      else await add(id);
    }
  } catch {
    // no answer: the service was killed, and the ledger allows both contents
  }

  /** The content names the write and the picture. */
  async function add(id: string): Promise<void> {
    const sample = oneOf(random, samples);
    const keywords = [`write-${name}-${random()}`, sample.id];
    const asFile = random() < 0.15;
    const done = await change(id, keywords.join(), () =>
      asFile ? client.add(id, sample.file, keywords) : client.addDna(id, sample.dna, keywords),
    );
    if (done && random() < 0.5) await find(id, keywords.join());
  }

  async function remove(id: string): Promise<void> {
    if (!(await change(id, null, () => client.delete(id)))) return;
    const code = await codeOf(client.image(id));
    if (code !== errorCodes.UNKNOWN_IMAGE) fault(`${id} was deleted, but GetImageById answers ${code}`);
  }

  function change(id: string, content: string | null, send: () => Promise<unknown>): Promise<boolean> {
    return ledger.write(id, content, async () => {
      const code = await codeOf(send());
      if (code !== 0 && code !== errorCodes.OVERLOADED) fault(`a write of ${id} answered ${code}`);
      return code === 0;
    });
  }

  /** An acknowledged picture is found by the very next search. */
  async function find(id: string, content: string): Promise<void> {
    let images: readonly Image[] = [];
    const search = client.searchByDna(sampleOf(content, samples).dna, { ids: [id] });
    const code = await codeOf(search.then((found) => ({ images } = found)));
    searched();
    if (code === errorCodes.OVERLOADED) return;
    const [found] = images;
    if (found?.id !== id || found.score !== 0 || found.keywords.join() !== content)
      fault(`${id} was added as ${content}, but a search answers ${code} ${JSON.stringify(images)}`);
  }
}

function sampleOf(content: string, samples: readonly Sample[]): Sample {
  return samples.find(({ id }) => content.endsWith(`,${id}`))!;
}

/** A kill that may come while the store is replayed. */
async function killAtStart(data: string, delay: number): Promise<void> {
  const child = spawnService({ data });
  await pause(delay);
  await endProcess(child, 'SIGKILL');
}

/**
 * Compares the list, the count and the index with the ledger. The stored DNA is compared once for each write; the index, which is
 * made from the DNA, each time.
 */
async function compare(client: Sosia, samples: readonly Sample[], ledger: Ledger, checkedDna: Set<string>) {
  const found = new Map<string, string>();
  for await (const { id, keywords } of client.images()) found.set(id, keywords.join());
  const faults = ledger.compare(found).map(({ text }) => text);
  ledger.settle(found);
  for (const [id, content] of found) {
    if (checkedDna.has(content)) continue;
    checkedDna.add(content);
    if (!Buffer.from(await client.dna(id)).equals(sampleOf(content, samples).dna))
      faults.push(`${id} holds ${content} with another DNA`);
  }

  const count = await client.count();
  if (count !== found.size) faults.push(`${count} pictures, expected ${found.size}`);

  for (const { id: name, dna } of samples) {
    const expected = [...found].filter(([, content]) => content.endsWith(`,${name}`)).map(([id]) => id);
    const listed = await client.searchByKeywords([name], { count: 1000 });
    const copies = (await client.searchByDna(dna, { count: 1000 })).images.filter(({ score }) => score === 0);
    for (const [what, images] of Object.entries({ list: listed.images, index: copies })) {
      const ids = images.map(({ id }) => id).join(' ');
      const all = expected.sort().join(' ');
      if (ids !== all) faults.push(`the ${what} of ${name} has ${ids}, expected ${all}`);
    }
  }
  return faults;
}
