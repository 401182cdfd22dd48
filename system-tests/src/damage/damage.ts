import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { randomFor } from '@sosia/testing/pictures/random';
import type { Random } from '@sosia/testing/pictures/random';
import { ask } from '../ask.ts';
import type { Answer, Found, Question } from './checker.ts';
import { pagesOf } from './pages.ts';
import type { Pages } from './pages.ts';
import { fill } from './stock.ts';
import type { Stock, Stored, Tenant } from './stock.ts';
import { sizeOf } from '../gate.ts';
import type { GateResult } from '../gate.ts';

const PAGES = sizeOf('SOSIA_DAMAGED_PAGES', { usual: 12, whole: 500 });
const TRUNCATIONS = sizeOf('SOSIA_TRUNCATIONS', { usual: 4, whole: 50 });
const PICTURES = sizeOf('SOSIA_DAMAGE_PICTURES', { usual: 100, whole: 300 });
/** Of these, so that they differ by what they are near to. */
const kinds = ['zeros', 'random bytes', 'another page', 'a flipped bit'] as const;
const files = ['images.db', 'applications.db'] as const;

interface Case {
  readonly file: (typeof files)[number];
  readonly kind: (typeof kinds)[number] | 'cut';
  /** Pages whose bytes have changed. */
  readonly touched: ReadonlySet<number>;
  apply(path: string): void;
}

interface Sound {
  readonly folder: string;
  readonly stock: Stock;
  readonly pages: Readonly<Record<(typeof files)[number], Pages>>;
}

const counts = { refused: 0, readOnly: 0, harmless: 0, reported: 0, missing: 0, refusedChanges: 0, changes: 0 };

/**
 * Damages one page of a data folder, or cuts one of its files, and looks at all that the service then does: the start, the
 * answers over HTTP, changes, a second reading after these, `verify` and `repair`. Which pictures must be served in full is
 * derived from the pages that they are read through, which are found without SQLite.
 */
export async function run(): Promise<GateResult> {
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-damage-'));
  const folder = join(scratch, 'sound');
  const stock = await fill(folder, PICTURES, seed);
  const pages = { 'images.db': pagesIn(folder, 'images.db'), 'applications.db': pagesIn(folder, 'applications.db') };
  const sound: Sound = { folder, stock, pages };

  const faults: string[] = [];
  let next = 0;
  await Promise.all([work(), work()]); // one waits for its server while the other reads
  if (faults.length === 0) rmSync(scratch, { recursive: true });
  const figures = {
    seed,
    pages: PAGES,
    truncations: TRUNCATIONS,
    ...counts,
    faults: faults.slice(0, 20),
    of: faults.length,
  };
  return { passed: faults.length === 0 && counts.reported > 0, figures };

  async function work(): Promise<void> {
    let checker = startChecker();
    for (let i = next++; i < PAGES + TRUNCATIONS; i = next++) {
      // connections are given back with their process
      if (checker.exitCode !== null || checker.signalCode !== null || i % 20 >= 18) {
        checker.kill();
        checker = startChecker();
      }
      faults.push(...(await tried(sound, i, seed, scratch, checker)));
    }
    checker.kill();
  }
}

async function tried(sound: Sound, i: number, seed: string, scratch: string, checker: ChildProcess): Promise<string[]> {
  const random = randomFor('damage', seed, i);
  const one = i < PAGES ? damagedPage(sound, i, random) : cut(sound, i, random);
  const copy = join(scratch, `case-${i}`);
  cpSync(sound.folder, copy, { recursive: true });
  one.apply(join(copy, one.file));
  const found = await judge(sound, one, copy, checker).catch((cause: Error) => [cause.stack ?? cause.message]);
  const name = `${one.file}, page ${[...one.touched][0]}, ${one.kind} (case ${i})`;
  if (found.length === 0) for (const each of [copy, `${copy}-repaired`]) rmSync(each, { recursive: true, force: true });
  if (process.env['SOSIA_VERBOSE']) console.error(name, found.length === 0 ? 'ok' : found);
  return found.map((fault) => `${name}: ${fault}`);
}

function pagesIn(folder: string, file: string): Pages {
  const log = statSync(join(folder, `${file}-wal`), { throwIfNoEntry: false });
  if (log && log.size > 0) throw new Error(`expected ${file} without a log, found ${log.size} bytes`);
  return pagesOf(readFileSync(join(folder, file)));
}

function damagedPage({ folder, pages }: Sound, i: number, random: Random): Case {
  const file = i % 5 === 4 ? 'applications.db' : 'images.db';
  const kind = kinds[i % kinds.length]!;
  const { size, count } = pages[file];
  const bytes = readFileSync(join(folder, file));
  const page = 1 + Math.floor(random() * count);
  const start = (page - 1) * size;
  const place = bytes.subarray(start, start + size);
  const before = Buffer.from(place);
  if (kind === 'zeros') place.fill(0);
  if (kind === 'random bytes') for (let at = 0; at < size; at++) place[at] = random() * 256;
  if (kind === 'another page') {
    const other = Math.floor(random() * count) * size;
    bytes.copy(place, 0, other, other + size);
  }
  // half of them where the structure is, at the beginning of the page
  const bit = Math.floor(random() * (random() < 0.5 ? 64 : size) * 8);
  if (kind === 'a flipped bit') place[bit >> 3]! ^= 1 << (bit & 7);
  const touched = new Set(place.equals(before) ? [] : [page]);
  return { file, kind, touched, apply: (path) => writeFileSync(path, bytes) };
}

function cut({ pages }: Sound, i: number, random: Random): Case {
  const file = files[i % 2]!;
  const { size, count } = pages[file];
  const length = Math.floor(random() * size * count);
  const touched = new Set(Array.from({ length: count }, (_, at) => at + 1).filter((page) => page * size > length));
  return { file, kind: 'cut', touched, apply: (path) => truncateSync(path, length) };
}

async function judge(sound: Sound, one: Case, folder: string, checker: ChildProcess): Promise<string[]> {
  const faults: string[] = [];
  const { tenants } = sound.stock;
  const required = new Map(tenants.map((tenant) => [tenant, requiredOf(sound, one, tenant)]));
  const nothing = nothingCanBeRead(sound, one);

  const verified = await asked(checker, { task: 'verify', folder });
  if (verified.failure && !nothing) faults.push(`verify failed: ${verified.failure}`);
  const reports = verified.damages.length + (verified.failure ? 1 : 0);

  const server = await start(folder);
  if ('refused' in server) {
    counts.refused++;
    if (!nothing) faults.push(`the start was refused: ${server.refused}`);
    const text = server.refused.replaceAll(folder, '');
    if (!/damaged/.test(text) || !text.includes(one.file)) faults.push(`refused without the name: ${server.refused}`);
    if (reports === 0) faults.push('refused, and verify is silent');
    return faults;
  }

  const deleted = new Set<string>();
  const added = new Map<Tenant, string[]>();
  let missing = 0;
  try {
    for (const tenant of tenants) {
      const must = required.get(tenant)!;
      const seen = await served(server, tenant, must, faults);
      missing += tenant.images.size - seen;
    }
    for (const key of sound.stock.deletedKeys) {
      const { status } = await ask(server, 'query/ListImages', { application_key: key });
      if (status.code !== -1101) faults.push(`the key of a deleted application is answered with ${status.code}`);
    }
    counts.missing += missing;
    if (missing > 0 && reports === 0) faults.push(`${missing} pictures are missing, and verify is silent`);
    if (missing > 0 && !server.log().includes('"damaged"')) faults.push('pictures are missing, and the log is silent');
    const { text } = await metricsOf(server);
    if (reports > 0 && missing > 0 && /^sosia_store_damages_total 0$/m.test(text))
      faults.push('the metrics are silent');
    if (reports > 0) counts.reported++;
    else counts.harmless++;

    for (const tenant of tenants) await change(server, tenant, required.get(tenant)!, { added, deleted }, faults);
  } finally {
    await server.stop();
  }
  if (server.died()) faults.push(`the process ended: ${server.log().slice(-500)}`);

  const after = await asked(checker, { task: 'contents', folder });
  compare('after the changes', after);
  const out = `${folder}-repaired`;
  const repaired = await asked(checker, { task: 'repair', folder, out });
  if (repaired.failure) faults.push(`repair: ${repaired.failure}`);
  if (repaired.failure) return faults;
  if (reports > 0 && missing > 0 && repaired.damages.length === 0) faults.push('repair lost something in silence');
  const whole = await asked(checker, { task: 'verify', folder: out });
  if (whole.failure || whole.damages.length > 0) faults.push(`repaired, yet ${whole.failure ?? whole.damages[0]}`);
  compare('repaired', await asked(checker, { task: 'contents', folder: out }));
  return faults;

  function compare(when: string, { failure, contents = {}, profiles = [] }: Answer): void {
    if (failure) faults.push(`${when}: ${failure}`);
    if (failure) return;
    const unexpected = profiles.filter((name) => !sound.stock.profiles.includes(name));
    if (unexpected.length > 0) faults.push(`${when}: profiles ${unexpected}`);
    for (const tenant of tenants) {
      const found = new Map((contents[tenant.number] ?? []).map((image) => [image.id, image]));
      for (const image of found.values()) {
        const stored = tenant.images.get(image.id);
        const mine = added.get(tenant)?.includes(image.id);
        if (!mine && (!stored || !same(stored, image))) faults.push(`${when}: ${image.id} is not what was stored`);
        if (deleted.has(image.id)) faults.push(`${when}: ${image.id} was deleted`);
      }
      for (const id of [...required.get(tenant)!, ...(added.get(tenant) ?? [])]) {
        if (!deleted.has(id) && !found.has(id)) faults.push(`${when}: ${id} is missing`);
      }
    }
  }
}

function same(stored: Stored, { number, keywords, dna, thumbnail }: Found): boolean {
  const small = stored.thumbnail && Buffer.from(stored.thumbnail).toString('base64');
  return (
    number === stored.number &&
    isDeepStrictEqual(keywords, stored.keywords) &&
    dna === Buffer.from(stored.dna).toString('base64') &&
    (thumbnail === undefined || thumbnail === small)
  );
}

/** Ids of the pictures whose application and whose record are read through no page that was touched. */
function requiredOf({ pages }: Sound, { file, touched }: Case, tenant: Tenant): string[] {
  const all = [...tenant.images.values()];
  if (touched.has(1)) return [];
  if (file === 'applications.db') {
    const row = pages[file].rows('applications').get(tenant.number)!;
    return isTouched(row, touched) ? [] : all.map(({ id }) => id);
  }
  const rows = pages[file].rows('images');
  return all.filter(({ number }) => !isTouched(rows.get(number)!, touched)).map(({ id }) => id);
}

/** The header and the list of tables are in the first page; without an application there is nothing to serve. */
function nothingCanBeRead({ pages, stock }: Sound, { file, touched }: Case): boolean {
  if (touched.has(1)) return true;
  if (file === 'images.db') return false;
  const rows = pages[file].rows('applications');
  return stock.tenants.every(({ number }) => isTouched(rows.get(number)!, touched));
}

function isTouched(pages: ReadonlySet<number>, touched: ReadonlySet<number>): boolean {
  return [...pages].some((page) => touched.has(page));
}

/** Looks at all that a tenant is answered. @returns how many pictures it has */
async function served(server: Running, tenant: Tenant, must: readonly string[], faults: string[]): Promise<number> {
  const own = { application_key: tenant.key };
  const { status, images = [] } = await ask(server, 'query/ListImages', { ...own, nb_results: '1000' });
  if (status.code !== 0) {
    if (must.length > 0) faults.push(`tenant ${tenant.number} is answered ${status.code} ${status.message}`);
    return 0;
  }
  const ids = new Set(images.map(({ id }) => id));
  if (ids.size !== images.length) faults.push(`tenant ${tenant.number} has an id twice`);
  for (const id of must) if (!ids.has(id)) faults.push(`${id} is sound and not served`);
  await Promise.all(
    images.map(async ({ id, keywords }) => {
      const stored = tenant.images.get(id);
      if (!stored) return void faults.push(`${id} is served${tenant.deleted.has(id) ? ' and was deleted' : ''}`);
      const dna = Buffer.from(stored.dna).toString('base64');
      if (!isDeepStrictEqual(keywords, [...stored.keywords])) faults.push(`${id} has other keywords`);
      const answer = await ask(server, 'modify/GetDnaById', { ...own, image_id: id });
      if (answer.dna?.dna !== dna) faults.push(`${id} has another DNA: ${answer.status.message}`);
      if (stored.number % 3 > 0) return;
      const found = await ask(server, 'query/SearchImageByDna', { ...own, dna, nb_results: '5' });
      const first = found.images?.filter(({ score }) => score === 0).map((image) => image.id) ?? [];
      if (!first.includes(id)) faults.push(`${id} is not found by its DNA`);
    }),
  );
  return images.length;
}

/** Adds a picture and deletes one; what is answered with 0 must hold. */
async function change(
  server: Running,
  tenant: Tenant,
  must: readonly string[],
  { added, deleted }: { added: Map<Tenant, string[]>; deleted: Set<string> },
  faults: string[],
): Promise<void> {
  if (must.length === 0) return;
  const own = { application_key: tenant.key };
  const [victim] = must;
  const dna = Buffer.from(tenant.images.get(must.at(-1)!)!.dna).toString('base64');
  const id = `${tenant.number}-new`;
  const add = await ask(server, 'modify/AddImage', { ...own, image_id: id, dna });
  const deletion = await ask(server, 'modify/DeleteImage', { ...own, image_id: victim! });
  if (add.status.code === 0) added.set(tenant, [id]);
  if (deletion.status.code === 0) deleted.add(victim!);
  for (const { status } of [add, deletion]) {
    counts.changes++;
    if (status.code === 0) continue;
    counts.refusedChanges++;
    if (status.code !== -2892 && status.code !== -2891) faults.push(`a change: ${status.code} ${status.message}`);
  }
}

interface Running {
  readonly modify: string;
  readonly query: string;
  log(): string;
  /** Whether it ended by itself. */
  died(): boolean;
  stop(): Promise<void>;
}

const sosia = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));

async function start(folder: string): Promise<Running | { refused: string }> {
  const flags = ['--modify-port', '0', '--query-port', '0', '--log-level', 'error'];
  const few = ['--search-workers', '1', '--decode-workers', '1', '--stop-grace', '0'];
  const child = spawn(process.execPath, [sosia, 'serve', '--data', folder, ...flags, ...few]);
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const ended = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const first = await Promise.race([line, ended.then(() => undefined)]);
  if (!first) return { refused: log };
  const { modify, query } = JSON.parse(first[0]) as { modify: number; query: number };
  let stopping = false;
  let died = false;
  void ended.then(() => (died = !stopping));
  return {
    modify: `http://127.0.0.1:${modify}`,
    query: `http://127.0.0.1:${query}`,
    log: () => log,
    died: () => died,
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function metricsOf({ modify }: Running): Promise<{ text: string }> {
  return { text: await (await fetch(`${modify}/metrics`)).text() };
}

function startChecker(): ChildProcess {
  return fork(fileURLToPath(new URL('./checker.js', import.meta.url)));
}

async function asked(checker: ChildProcess, question: Question): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const answer = once(checker, 'message', { signal }) as Promise<[Answer]>;
  const end = once(checker, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`the process ended with ${code ?? by} at ${question.task}`);
  });
  for (const each of [answer, end]) each.catch(() => {});
  checker.send(question);
  try {
    return (await Promise.race([answer, end]))[0];
  } finally {
    over.abort();
  }
}
