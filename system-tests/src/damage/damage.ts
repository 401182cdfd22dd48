import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodes, SosiaError } from '@sosia/client';
import { startChecker, type Checker } from '@sosia/testing/checker';
import type { Ledger } from '@sosia/testing/ledger/ledger';
import { randomFor } from '@sosia/testing/pictures/random';
import { codeOf, startService, type Service } from '@sosia/testing/service/service';
import { systemTest } from '@sosia/testing/harness/system-test';
import { allIsUnreadable, cutFile, damagedPage, pagesIn, unreadableOf, type Case, type Sound } from './cases.ts';
import type { Contents, Task } from './checker.ts';
import { fill, wordOf, type Tenant } from './stock.ts';

const flags = ['--search-workers', '1', '--decode-workers', '1', '--stop-grace', '0', '--log-level', 'error'];
/** Failures of changes that need a damaged page. */
const DAMAGED: number[] = [errorCodes.STORE_DAMAGED, errorCodes.STORE_READ_ONLY];

const counts = { refused: 0, harmless: 0, reported: 0, missing: 0, refusedChanges: 0, changes: 0 };

/**
 * Damages one page of a data folder, or cuts one of its files, and looks at all that follows: the start, the answers over HTTP,
 * changes, a second reading, `verify` and `repair`. Which pictures must be served follows from the pages through which they
 * are read, which are found without SQLite.
 */
export default systemTest({
  name: 'damage',
  promise: 'Damage is survived and named: all that can be read is served, and nothing that was deleted shows.',
  sizes: {
    SOSIA_DAMAGED_PAGES: { usual: 12, whole: 500 },
    SOSIA_TRUNCATIONS: { usual: 4, whole: 50 },
    SOSIA_DAMAGE_PICTURES: { usual: 100, whole: 300 },
  },
  async run({ seed, size, folder, faults, expect }) {
    const { SOSIA_DAMAGED_PAGES: pages, SOSIA_TRUNCATIONS: cuts } = size;
    const data = join(folder, 'sound');
    const stock = await fill(data, size.SOSIA_DAMAGE_PICTURES, seed);
    const pagesBy = { 'images.db': pagesIn(data, 'images.db'), 'applications.db': pagesIn(data, 'applications.db') };
    const sound: Sound = { folder: data, stock, pages: pagesBy };
    let next = 0;
    const work = async (): Promise<void> => {
      let checker = newChecker();
      for (let i = next++; i < pages + cuts; i = next++) {
        const random = randomFor('damage', seed, i);
        const one = i < pages ? damagedPage(sound, i, random) : cutFile(sound, i, random);
        const copy = join(folder, `case-${i}`);
        cpSync(data, copy, { recursive: true });
        one.apply(join(copy, one.file));
        const found = await judge(sound, one, copy, checker).catch((cause: unknown) => [String(cause)]);
        faults.push(...found.map((fault) => `${one.name} (case ${i}): ${fault}`));
        if (found.length === 0)
          for (const each of [copy, `${copy}-repaired`]) rmSync(each, { recursive: true, force: true });
        if (!checker.ended() && i % 20 < 18) continue;
        await checker.end(); // connections are given back with their process
        checker = newChecker();
      }
      await checker.end();
    };
    await Promise.all([work(), work()]); // one waits for its service while the other reads
    expect(counts.reported > 0, 'no damage was reported');
    return { pages, cuts, ...counts };
  },
});

function newChecker(): Checker {
  return startChecker(fileURLToPath(new URL('./checker.js', import.meta.url)));
}

/** The answer of the checker, or the text of its failure. */
function ask<Answer>(checker: Checker, task: Task): Promise<Answer | string> {
  return checker.ask(task).then(
    (answer) => answer as Answer,
    (cause: unknown) => String(cause),
  );
}

async function judge(sound: Sound, one: Case, data: string, checker: Checker): Promise<string[]> {
  const { stock } = sound;
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const ledger = stock.ledger.copy();
  for (const tenant of stock.tenants) ledger.excuse(unreadableOf(sound, one, tenant));
  const mayRefuse = allIsUnreadable(sound, one);

  const verified = await ask<string[]>(checker, { verify: data });
  expect(typeof verified !== 'string' || mayRefuse, `verify failed: ${String(verified)}`);
  const reported = verified.length > 0;

  const service = await startService({ data, flags }).catch(String);
  if (typeof service === 'string') {
    counts.refused++;
    expect(mayRefuse, `the start was refused: ${service}`);
    const text = service.replaceAll(data, '');
    expect(/damaged/.test(text) && text.includes(one.file), `refused without the name: ${service}`);
    expect(reported, 'refused, and verify is silent');
    return faults;
  }

  let missing = 0;
  try {
    const served = new Map<string, string>();
    for (const tenant of stock.tenants) {
      const seen = await pictures(service, tenant, served, faults);
      missing += tenant.images.size - seen;
    }
    faults.push(...textsOf(ledger, served, 'over HTTP'));
    const code = await codeOf(service.client(stock.keyOfDeleted).list());
    expect(code === errorCodes.UNKNOWN_APPLICATION, `the key of a deleted application is answered with ${code}`);
    counts.missing += missing;
    expect(missing === 0 || reported, `${missing} pictures are missing, and verify is silent`);
    expect(missing === 0 || service.log().includes('"damaged"'), 'pictures are missing, and the log is silent');
    const total = await service.metric('sosia_store_damages_total');
    expect(missing === 0 || !reported || total > 0, 'pictures are missing, and the metrics are silent');
    if (reported) counts.reported++;
    else counts.harmless++;
    for (const tenant of stock.tenants) await change(service, tenant, ledger, faults);
  } finally {
    await service.stop();
  }
  expect(!service.crashed(), `the process ended: ${service.log().slice(-500)}`);

  const out = `${data}-repaired`;
  await compare('after the changes', data);
  const repaired = await ask<string[]>(checker, { repair: data, out });
  expect(typeof repaired !== 'string', `repair: ${String(repaired)}`);
  if (typeof repaired === 'string') return faults;
  expect(!reported || missing === 0 || repaired.length > 0, 'repair lost something and is silent');
  const whole = await ask<string[]>(checker, { verify: out });
  expect(whole.length === 0, `repaired, yet ${String(whole)}`);
  await compare('repaired', out);
  return faults;

  async function compare(when: string, folder: string): Promise<void> {
    const contents = await ask<Contents>(checker, { contents: folder });
    if (typeof contents === 'string') return void faults.push(`${when}: ${contents}`);
    const found = new Map(Object.entries(contents.pictures).filter(([id]) => !/^number of .*-new$/.test(id)));
    faults.push(...textsOf(ledger, found, when));
    const unexpected = contents.profiles.filter((name) => !stock.profiles.includes(name));
    expect(unexpected.length === 0, `${when}: profiles ${unexpected.join()}`);
  }
}

function textsOf(ledger: Ledger, found: ReadonlyMap<string, string>, when: string): string[] {
  return ledger.compare(found).map(({ text }) => `${when}: ${text}`);
}

/** Reads all pictures of a tenant into `served`. @returns how many it has */
async function pictures(
  service: Service,
  tenant: Tenant,
  served: Map<string, string>,
  faults: string[],
): Promise<number> {
  const client = service.client(tenant.key);
  const images = await client.list({ count: 1000 }).then(
    ({ images }) => images,
    (cause: unknown) => {
      if (cause instanceof SosiaError) return []; // the ledger decides whether pictures are missing
      throw cause;
    },
  );
  await Promise.all(
    images.map(async ({ id, keywords }) => {
      if (served.has(id)) faults.push(`${id} is listed twice`);
      const dna = await client.dna(id).catch(String);
      served.set(id, typeof dna === 'string' ? dna : wordOf(keywords, dna));
      if (typeof dna === 'string' || (tenant.images.get(id)?.number ?? 0) % 3 > 0) return;
      const found = await client.searchByDna(dna, { count: 5 });
      const first = found.images.filter(({ score }) => score === 0).map((image) => image.id);
      if (!first.includes(id)) faults.push(`${id} is not found by its DNA`);
    }),
  );
  return images.length;
}

/** Adds a picture and deletes one, where the tenant must have some. */
async function change(service: Service, tenant: Tenant, ledger: Ledger, faults: string[]): Promise<void> {
  const certain = [...tenant.images.values()].filter(({ id }) => ledger.contentOf(id));
  const [first, last] = [certain[0], certain.at(-1)];
  if (!first || !last) return;
  const client = service.client(tenant.key);
  const id = `${tenant.number}-new`;
  await write(id, wordOf([], last.dna), () => client.addDna(id, last.dna));
  await write(first.id, null, () => client.delete(first.id));

  async function write(id: string, content: string | null, send: () => Promise<unknown>): Promise<void> {
    counts.changes++;
    await ledger.write(id, content, async () => {
      const code = await codeOf(send());
      if (code !== 0) counts.refusedChanges++;
      if (code !== 0 && !DAMAGED.includes(code)) faults.push(`a change of ${id} answered ${code}`);
      return code === 0;
    });
  }
}
