import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChecker, type Checker } from '@sosia/testing/checker';
import { systemTest } from '@sosia/testing/harness/system-test';
import { randomFor } from '@sosia/testing/pictures/random';
import { createApplication, startService } from '@sosia/testing/service/service';
import type { Contents } from '../damage/checker.ts';
import { fill } from '../damage/stock.ts';

const PAGE = 4096;
const kinds = ['zeros', 'random bytes', 'another page', 'cut'] as const;
type Kind = (typeof kinds)[number];
const flags = ['--search-workers', '1', '--decode-workers', '1', '--stop-grace', '0', '--log-level', 'error'];
/** Damages that one process reads; libsql keeps connections until it ends. */
const BY_ONE_PROCESS = 40;
/** The picture of the last commit before the kill. Damage to this commit cannot be distinguished from a power cut, which tears it before it is acknowledged. */
const LAST = 'last';

const counts = { pages: 0, damages: 0, refused: 0, starts: 0, startsRefused: 0, parts: 0, lastCommits: 0 };

interface Case {
  readonly name: string;
  readonly file: string;
  readonly page: number;
  readonly kind: Kind;
}

/**
 * Damages each page of each file of a small data folder once in each way, logs among them: after a clean stop, and after a kill.
 * All is read as by a start; a service starts on each page of applications.db, of the format file and of the logs.
 */
export default systemTest({
  name: 'pages',
  promise: 'Damage to any single page refuses a start only where nothing can be read, and what is lost is named.',
  sizes: { SOSIA_PAGE_PICTURES: { usual: 12, whole: 60 } },
  async run({ seed, size, folder, faults }) {
    const stopped = join(folder, 'stopped');
    const { tenants } = await fill(stopped, size.SOSIA_PAGE_PICTURES, seed);
    const killed = join(folder, 'killed');
    cpSync(stopped, killed, { recursive: true });
    for (const name of readdirSync(stopped)) if (/-(wal|shm)$/.test(name)) rmSync(join(stopped, name));
    const service = await startService({ data: killed, flags });
    const [tenant] = tenants;
    const [image] = [...tenant!.images.values()];
    for (const id of ['more 1', 'more 2', 'more 3']) await service.client(tenant!.key).addDna(id, image!.dna);
    createApplication(killed, 'media-matching');
    await service.client(tenant!.key).addDna(LAST, image!.dna);
    await service.kill();
    for (const state of [stopped, killed]) {
      const found = await allPages(state, folder, seed);
      faults.push(...found);
    }
    return counts;
  },
});

async function allPages(state: string, scratch: string, seed: string): Promise<string[]> {
  const faults: string[] = [];
  const cases = readdirSync(state).flatMap((file) => casesOf(state, file));
  counts.pages += cases.length / kinds.length;
  const whole = await withChecker(async (checker) => {
    const copy = join(scratch, 'whole');
    cpSync(state, copy, { recursive: true });
    return (await checker.ask({ contents: copy })) as Contents;
  });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      await withChecker(async (checker) => {
        for (let done = 0; done < BY_ONE_PROCESS && next < cases.length && !checker.ended(); done++) {
          const one = cases[next++]!;
          const copy = join(scratch, `case-${counts.damages++}`);
          cpSync(state, copy, { recursive: true });
          damage(join(copy, one.file), one, seed);
          const found = await judge(one, copy, whole, checker);
          faults.push(...found.map((fault) => `${one.name}: ${fault}`));
          rmSync(copy, { recursive: true });
        }
      });
    }
  };
  await Promise.all([work(), work()]);
  return faults;
}

function casesOf(state: string, file: string): Case[] {
  const pages = Math.ceil(readFileSync(join(state, file)).length / PAGE);
  return Array.from({ length: pages }, (_, i) => i + 1).flatMap((page) =>
    kinds.map((kind) => ({ name: `${file} of ${state}, page ${page} of ${pages}, ${kind}`, file, page, kind })),
  );
}

function damage(path: string, { name, page, kind }: Case, seed: string): void {
  const random = randomFor('pages', seed, name);
  const bytes = readFileSync(path);
  const start = (page - 1) * PAGE;
  if (kind === 'cut') return writeFileSync(path, bytes.subarray(0, start));
  const place = bytes.subarray(start, start + PAGE);
  if (kind === 'zeros') place.fill(0);
  if (kind === 'random bytes') for (let at = 0; at < place.length; at++) place[at] = random() * 256;
  if (kind === 'another page') {
    const other = Math.floor(random() * Math.ceil(bytes.length / PAGE)) * PAGE;
    Buffer.from(bytes.subarray(other, other + place.length)).copy(place);
  }
  writeFileSync(path, bytes);
}

/** Whether nothing can be read: a database without its first page, no application, or a file of which nothing is left. */
function mayRefuse({ file, page, kind }: Omit<Case, 'name'>, message: string): boolean {
  if (file === 'applications.db' && /no application in applications\.db can be read/.test(message)) return true;
  if (page > 1) return false;
  if (file.endsWith('.db')) return /not a database|found an empty one|damaged/.test(message);
  return kind === 'cut' && /no file "format"|an earlier copy/.test(message);
}

async function judge({ file, page, kind }: Case, data: string, whole: Contents, checker: Checker): Promise<string[]> {
  const faults: string[] = [];
  const text = (cause: unknown): string => String(cause).replaceAll(data, '');
  const isService = file !== 'images.db' && !file.endsWith('-shm') && kind === kinds[page % kinds.length];
  const verified = (await checker.ask({ verify: data }).catch(text)) as string[] | string;
  const isReported = verified.length > 0;
  const started = isService ? await start(data) : undefined;
  const found = (await checker.ask({ contents: data }).catch(text)) as Contents | string;
  if (typeof found === 'string') {
    counts.refused++;
    if (!mayRefuse({ file, page, kind }, found)) faults.push(`refused: ${found}`);
    if (!found.includes(file.replace(/-(wal|shm)$/, ''))) faults.push(`refused without the name: ${found}`);
    if (!isReported) faults.push('refused, and verify is silent');
  } else {
    const missing = Object.keys(whole.pictures).filter((id) => !(id in found.pictures));
    const isLastCommit = file === 'images.db-wal' && missing.every((id) => id.endsWith(LAST));
    if (missing.length > 0) counts.parts++;
    if (missing.length > 0 && !isReported && isLastCommit) counts.lastCommits++;
    else if (missing.length > 0 && !isReported) faults.push(`${missing.length} are missing, and verify is silent`);
    for (const [id, content] of Object.entries(found.pictures)) {
      if (whole.pictures[id] !== content) faults.push(`${id} holds ${content}`);
    }
    if (started !== undefined && started !== '') faults.push(`the start of the service was refused: ${started}`);
  }
  return faults;
}

/** @returns the message of a start that was refused */
async function start(data: string): Promise<string> {
  const copy = `${data}-served`;
  cpSync(data, copy, { recursive: true });
  counts.starts++;
  try {
    await (await startService({ data: copy, flags })).kill();
    return '';
  } catch (cause) {
    counts.startsRefused++;
    return (cause as Error).message.slice(-400);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function withChecker<T>(work: (checker: Checker) => Promise<T>): Promise<T> {
  const checker = startChecker(fileURLToPath(new URL('../damage/checker.js', import.meta.url)));
  try {
    return await work(checker);
  } finally {
    await checker.end();
  }
}
