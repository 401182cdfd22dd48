import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-password-'));
after(() => rmSync(home, { recursive: true }));

// a closed port: no command reaches a cluster
const addresses = [
  'http://u:QXZ@127.0.0.1:1',
  'https://u:12/QXZ@127.0.0.1:1',
  'https://u:QX@QXZ@:1',
  'u:QXZ@127.0.0.1:1',
];
const ofAddress = (address: string) => [
  ['serve', '--cluster', address],
  ['app', 'list', '--cluster', address],
  ['audit', '--cluster', address],
  ['move', '--from', address, '--to', join(home, 'moved')],
];

test('no command prints a part of the password of a cluster, and one sent without encryption is warned of', async () => {
  for (const [i, address] of addresses.entries()) {
    const runs = ofAddress(address).map(async (words) => {
      const child = spawn(process.execPath, [bin, ...words], { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n');
      assert.doesNotMatch(said, /QX/, words.join(' '));
      const warned = i === 0 && words[0] !== 'audit';
      assert.equal(/password of the cluster is sent to 127.0.0.1:1 without encryption/.test(said), warned, said);
    });
    await Promise.all(runs);
  }
});
