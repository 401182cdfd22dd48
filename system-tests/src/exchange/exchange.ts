import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, SosiaError } from '@sosia/client';
import { systemTest } from '@sosia/testing/harness/system-test';
import { oneOf, randomFor } from '@sosia/testing/pictures/random';
import { sosia, startService, type Service } from '@sosia/testing/service/service';
import { flags, historyOf, type Moment } from './history.ts';

/** What is exchanged together: a part that the other folder lacks is removed. */
const parts: readonly (readonly string[])[] = [
  ['applications.db'],
  ['applications.db', 'applications.db-wal', 'applications.db-shm'],
  ['applications.db-wal'],
  ['applications.db-wal', 'applications.db-shm'],
  ['applications.db-shm'],
  ['images.db'],
  ['images.db', 'images.db-wal', 'images.db-shm'],
  ['images.db-wal'],
  ['images.db-wal', 'images.db-shm'],
  ['images.db-shm'],
  ['applications.db', 'images.db'],
  ['applications.db-wal', 'images.db-wal'],
  ['format'],
  ['format', 'applications.db', 'applications.db-wal', 'applications.db-shm'],
  ['format', 'images.db', 'images.db-wal', 'images.db-shm'],
  ['server.lock'],
  ['audit.log'],
];
const databases = ['applications.db', 'applications.db-wal', 'images.db', 'images.db-wal'];
/** Steps of each history. */
const STEPS = 10;
/** Exchanges that are tried on one pair of histories. */
const EACH = 25;

const counts = { identical: 0, refused: 0, harmless: 0, otherPictures: 0, wholeCopies: 0 };

/** Files of a data folder are exchanged for those of another moment of it, or of another folder, and a service is started on it. */
export default systemTest({
  name: 'exchange',
  promise: 'A file that is exchanged for an older or foreign one is refused by name, or changes nothing.',
  sizes: { SOSIA_EXCHANGES: { usual: 50, whole: 1000 } },
  async run({ seed, size, folder, faults, expect }) {
    for (let tried = 0; tried < size.SOSIA_EXCHANGES; tried += EACH) {
      const of = (name: string) => historyOf(name, folder, `${seed} ${tried}`, STEPS);
      const [own, foreign] = await Promise.all([of(`a${tried}`), of(`b${tried}`)]);
      let next = tried;
      const work = async (): Promise<void> => {
        for (let i = next++; i < Math.min(tried + EACH, size.SOSIA_EXCHANGES); i = next++) {
          const found = await exchange(join(folder, `case-${i}`), own, foreign, `${seed} ${i}`);
          faults.push(...found.map((fault) => `case ${i}: ${fault}`));
          if (found.length === 0) rmSync(join(folder, `case-${i}`), { recursive: true });
        }
      };
      await Promise.all([work(), work()]);
      for (const { folder } of [...own, ...foreign]) if (faults.length === 0) rmSync(folder, { recursive: true });
    }
    expect(counts.refused > size.SOSIA_EXCHANGES / 4, 'too little was refused');
    return { exchanges: size.SOSIA_EXCHANGES, ...counts };
  },
});

async function exchange(
  data: string,
  own: readonly Moment[],
  foreign: readonly Moment[],
  seed: string,
): Promise<string[]> {
  const random = randomFor('exchange', seed);
  // half of them stopped, a quarter at the end of the history, whose moments before are all earlier
  const stopped = own.filter(({ name }) => name.endsWith('stop'));
  const base =
    random() < 0.5 && stopped.length > 0 ? oneOf(random, stopped) : random() < 0.5 ? own.at(-1)! : oneOf(random, own);
  cpSync(base.folder, data, { recursive: true });
  if (random() < 0.08) {
    counts.wholeCopies++;
    const wrong = await judge(data, base, [...own, ...foreign]);
    return typeof wrong === 'string' ? [`a whole copy of ${base.name} is refused: ${wrong}`] : wrong.faults;
  }
  const other = random() < 0.3 ? oneOf(random, foreign) : oneOf(random, own);
  const files = random() < 0.3 ? ['applications.db'] : oneOf(random, parts);
  let same = true;
  for (const file of files) {
    const [from, to] = [join(other.folder, file), join(data, file)];
    const [before, after] = [bytesOf(to), bytesOf(from)];
    same &&= before.equals(after);
    rmSync(to, { force: true });
    if (existsSync(from)) cpSync(from, to);
  }
  if (same) counts.identical++;
  const isWhole =
    own.includes(other) &&
    databases.every((file) => bytesOf(join(other.folder, file)).equals(bytesOf(join(data, file))));
  const name = `${files.join(', ')} of ${other.name} in ${base.name}`;
  const kept = mainFiles(data);
  const verified = await verify(data);
  const outcome = await judge(data, isWhole ? other : base, [...own, ...foreign]);
  if (typeof outcome === 'string') {
    counts.refused++;
    const faults: string[] = [];
    if (same) faults.push(`${name}: the same bytes are refused: ${outcome}`);
    const isNamed = ['format', 'applications.db', 'images.db'].some((file) => outcome.includes(join(data, file)));
    if (!isNamed || !/expected|damaged|has .* but no/.test(outcome))
      faults.push(`${name}: refused without a name: ${outcome}`);
    if (verified !== 1) faults.push(`${name}: refused, and verify ends with ${verified}`);
    if (JSON.stringify(mainFiles(data)) !== JSON.stringify(kept)) faults.push(`${name}: refused, and changed`);
    return faults;
  }
  if (outcome.others === 0) counts.harmless++;
  else counts.otherPictures++;
  return outcome.faults.map((fault) => `${name}: ${fault}`);
}

/** @returns its exit code. Waited for without blocking: a request of another case would count as unanswered meanwhile. */
async function verify(data: string): Promise<number | null> {
  const child = spawn(process.execPath, [sosia, 'verify', '--data', data], { stdio: 'ignore' });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
}

/** @returns the message of a start that was refused; otherwise faults, and how many applications have other pictures */
async function judge(
  data: string,
  base: Moment,
  all: readonly Moment[],
): Promise<string | { faults: string[]; others: number }> {
  let service: Service;
  try {
    service = await startService({ data, flags });
  } catch (cause) {
    return (cause as Error).message;
  }
  const faults: string[] = [];
  let others = 0;
  try {
    for (const key of new Set(all.flatMap(({ pictures }) => [...pictures.keys()]))) {
      const expected = base.pictures.get(key) ?? null;
      const found = await listed(service, key);
      if (found === null && expected !== null) faults.push('a key does not work');
      if (found === null || expected === null) {
        if (found !== null)
          faults.push(`a key that is revoked, or of another moment or folder, lists ${found.length} pictures`);
        continue;
      }
      if (found.join() === expected.join()) continue;
      others++;
      const everOwn = new Set(all.flatMap(({ pictures }) => pictures.get(key) ?? []));
      if (!found.every((id) => everOwn.has(id))) faults.push('a key lists pictures of another application');
    }
  } finally {
    await service.stop();
  }
  const left = readdirSync(data).filter((name) => /-(wal|shm)$/.test(name));
  if (left.length > 0) faults.push(`after a clean stop there are ${left.join()}`);
  return { faults, others };
}

async function listed(service: Service, key: string): Promise<string[] | null> {
  try {
    const { images } = await service.client(key).list({ count: 1000 });
    return images.map(({ id }) => id).sort();
  } catch (cause) {
    if (cause instanceof SosiaError && cause.code === errorCodes.UNKNOWN_APPLICATION) return null;
    throw cause;
  }
}

function bytesOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

function mainFiles(data: string): [string, string][] {
  return ['format', 'applications.db', 'images.db'].map((name) => [name, bytesOf(join(data, name)).toString('base64')]);
}
