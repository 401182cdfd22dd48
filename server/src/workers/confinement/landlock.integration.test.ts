import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { strictestRuleset } from './landlock.ts';
import { isKnown } from './system-calls.ts';

const onLinux = { skip: !(process.platform === 'linux' && isKnown(process.arch)) && 'only Linux has it' };

test('a ruleset handles all that a version of Landlock can take away', () => {
  const fields = (version: number) => {
    const bytes = strictestRuleset(version);
    return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readBigUInt64LE(8 * i));
  };
  const byVersion = [
    [0x1fffn],
    [0x3fffn],
    [0x7fffn],
    [0x7fffn, 3n],
    [0xffffn, 3n],
    [0xffffn, 3n, 3n],
    [0xffffn, 3n, 3n],
  ];
  byVersion.forEach((expected, i) => assert.deepEqual(fields(i + 1), expected, `version ${i + 1}`));
  assert.deepEqual(fields(20), fields(6));
});

test('a kernel that has Landlock accepts the ruleset', onLinux, () => {
  const address = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href;
  const program = `
    import { openLibc } from ${JSON.stringify(address('libc'))};
    import { strictestRuleset } from ${JSON.stringify(address('landlock'))};
    const libc = openLibc(process.arch);
    const version = libc.landlockVersion();
    libc.prctl(38, 1); // PR_SET_NO_NEW_PRIVS
    console.log(version === 0 || libc.restrictByLandlock(strictestRuleset(version)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(stdout, 'true\n');
});
