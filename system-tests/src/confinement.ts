import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { decodePicture, Decoder } from '@sosia/server/decode';
import { recipes } from '@sosia/engine';
import { notRun, type GateResult } from './gate.ts';

const attackOfChild = fileURLToPath(
  new URL('../../server/dist/workers/confinement/attack.test.main.js', import.meta.url),
);
const ORDINARY = 12_345;

interface Outcome {
  readonly worked: readonly string[];
  readonly refused: readonly string[];
}

/**
 * A child that was taken over, beside a server of this user and, where this one is root, of an ordinary user: nothing it
 * tries may work, and all of it must work for a process that is not confined. Then every sample is described in a
 * confined child and in this process: the same bytes.
 */
export async function run(): Promise<GateResult> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return notRun('Linux on x64 or arm64');
  const users = process.getuid!() === 0 ? [0, ORDINARY] : [process.getuid!()];
  const attacks: Record<string, { attempts: number; worked: number; workUnconfined: number }> = {};
  const faults: string[] = [];
  for (const user of users) {
    const { worked, refused } = await attack(user);
    const free = await attack(user, '--unconfined');
    const attempts = worked.length + refused.length;
    attacks[`user ${user}`] = { attempts, worked: worked.length, workUnconfined: free.worked.length };
    faults.push(...worked.map((attempt) => `user ${user}: it could ${attempt}`));
    if (free.worked.length < 0.85 * attempts) faults.push(`unconfined, only ${free.worked.length} of ${attempts} work`);
  }

  const names = readdirSync(samplesFolder).filter((name) => /\.jpe?g$/.test(name));
  const pool = await Decoder.start({ children: 1, timeLimit: 60_000 });
  const { describe, workingSize } = recipes['media-matching'];
  for (const name of names) {
    const file = readFileSync(join(samplesFolder, name));
    const [confined, free] = [
      await pool.describe(file, 'media-matching', 'reference'),
      describe(await decodePicture(file, Math.max(1024, workingSize)), 'reference'),
    ];
    if (!Buffer.from(confined).equals(free)) faults.push(`${name}: another DNA than outside of the child`);
  }
  const missing = Object.entries(pool.confinement).filter(([, holds]) => !holds);
  faults.push(...missing.map(([measure]) => `the measure ${measure} does not hold`));
  await pool.close();
  faults.forEach((fault) => console.error(fault));
  return { passed: faults.length === 0 && names.length > 0, figures: { attacks, described: names.length, faults } };
}

async function attack(user: number, ...flags: string[]): Promise<Outcome> {
  const options = user === process.getuid!() ? {} : { uid: user, gid: user };
  const { stdout } = await promisify(execFile)(process.execPath, [attackOfChild, ...flags], options);
  return JSON.parse(stdout) as Outcome;
}
