import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openImageStore } from './image-store.ts';

const child = fileURLToPath(new URL('./image-store.test.child.js', import.meta.url));
const KILLS = 5;

test('a process killed during writes has lost nothing that it acknowledged and shows nothing that it did not try', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-crash-'));
  t.after(() => rmSync(folder, { recursive: true }));
  let stored = new Set<string>();

  for (let kill = 0; kill < KILLS; kill++) {
    const said = await killedAfter(30 + kill * 70, folder);
    const ids = (word: string) =>
      said.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
    assert.ok(ids('removed').length > 0, `${said.length} lines before the kill`);

    const store = await openImageStore(folder, (damage) => assert.fail(JSON.stringify(damage)));
    const found = new Set<string>();
    for await (const batch of store.replay(1)) {
      for (const { id, keywords, dna } of batch) {
        assert.ok(!found.has(id));
        assert.deepEqual([keywords, dna.length], [[id], 2_000]);
        found.add(id);
      }
    }
    await store.close();

    const mayBeRemoved = new Set(ids('remove'));
    for (const id of [...stored, ...ids('added')]) assert.ok(found.has(id) || mayBeRemoved.has(id), `${id} is lost`);
    for (const id of ids('removed')) assert.ok(!found.has(id), `${id} is back`);
    const tried = new Set([...stored, ...ids('add')]);
    for (const id of found) assert.ok(tried.has(id), `nobody added ${id}`);
    stored = found;
  }
});

/** The output lines of a process that writes into the folder, killed some time after its first acknowledgement. */
async function killedAfter(milliseconds: number, folder: string): Promise<string[]> {
  const writer = spawn(process.execPath, [child, 'write', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  writer.stdout.on('data', (text) => (said += text));
  while (!said.includes('\nremoved ')) await Promise.race([once(writer.stdout, 'data'), once(writer, 'exit')]);
  await sleep(milliseconds);
  writer.kill('SIGKILL');
  await once(writer, 'close');
  return said.split('\n').slice(0, -1);
}
