import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { sampleFile, sampleIds } from '@sosia/testing/service/samples';
import { decodePicture, Decoder } from '@sosia/server/decode';
import { typeDefinitions } from '@sosia/engine';
import { ORDINARY_USER, systemTest } from '@sosia/testing/harness/system-test';
import { folderOfUser } from '@sosia/testing/harness/user-folder';

const attackOfChild = fileURLToPath(
  new URL('../../server/dist/workers/confinement/attack.test.main.js', import.meta.url),
);

interface Outcome {
  readonly worked: readonly string[];
  readonly refused: readonly string[];
}

/**
 * A stand-in for a child that was taken over attacks a service of this user and, where this is root, of an ordinary user. All of
 * its attempts must work for a process that is not confined. Samples have the same DNA inside and outside of a child.
 */
export default systemTest({
  name: 'confinement',
  promise: 'A decode child that is taken over reaches no file, network, program or process.',
  needs: ['Linux on x64 or arm64', 'a folder that an ordinary user may write'],
  async run({ expect }) {
    const attacks: Record<string, { attempts: number; worked: number; workUnconfined: number }> = {};
    for (const user of process.getuid!() === 0 ? [0, ORDINARY_USER] : [process.getuid!()]) {
      const { worked, refused } = await attack(user);
      const { worked: free } = await attack(user, '--unconfined');
      const attempts = worked.length + refused.length;
      attacks[`user ${user}`] = { attempts, worked: worked.length, workUnconfined: free.length };
      expect(worked.length === 0, `user ${user}: it could ${worked.join(' and ')}`);
      expect(free.length >= 0.85 * attempts, `user ${user}: unconfined, only ${free.length} of ${attempts} work`);
    }

    const pool = await Decoder.start({ children: 1, timeLimit: 60_000 });
    const type = typeDefinitions['media-matching'];
    for (const name of sampleIds()) {
      const file = sampleFile(name);
      const confined = await pool.describe(file, 'media-matching', 'reference');
      const free = type.describe(await decodePicture(file, Math.max(1024, type.workingSize)), 'reference');
      expect(Buffer.from(confined).equals(free), `${name}: another DNA than outside of the child`);
    }
    for (const [measure, holds] of Object.entries(pool.confinement))
      expect(holds, `the measure ${measure} does not hold`);
    await pool.close();
    return { attacks, described: sampleIds().length };
  },
});

async function attack(user: number, ...flags: string[]): Promise<Outcome> {
  const own = user === process.getuid!();
  const folder = own ? tmpdir() : folderOfUser(user)!;
  const options = { ...(!own && { uid: user, gid: user }), env: { ...process.env, TMPDIR: folder } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [attackOfChild, ...flags], options);
    return JSON.parse(stdout) as Outcome;
  } finally {
    if (!own) rmSync(folder, { recursive: true });
  }
}
