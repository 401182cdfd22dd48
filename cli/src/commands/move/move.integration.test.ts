import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningServer } from '@sosia/server';
import { askServer, startServerOn, type Values } from '@sosia/server/service.test.kit';
import { bin } from '../../testing/service.test.kit.ts';
import { parsed, photograph } from '../../testing/sosia.test.kit.ts';

const work = mkdtempSync(join(tmpdir(), 'sosia-move-'));
after(() => rmSync(work, { recursive: true, force: true }));

const sosia = (...words: string[]): string =>
  execFileSync(process.execPath, [bin, ...words], { encoding: 'utf8', stdio: 'pipe' });
const move = (from: string, to: string) =>
  spawnSync(process.execPath, [bin, 'move', '--from', join(work, from), '--to', join(work, to)], { encoding: 'utf8' });

/** Makes an application of the name `posters` and takes its only key away. */
function addWithoutKey(folder: string): void {
  const data = ['--data', join(work, folder)];
  const words = ['app', 'create', '--type', 'media-matching', '--name', 'posters', ...data, '--json'];
  const { application_key } = JSON.parse(sosia(...words)) as { application_key: string };
  sosia('key', 'revoke', application_key, 'first', ...data);
}

test('an application without keys is moved once; two of one name are refused, and nothing of them is written', () => {
  addWithoutKey('one');
  for (let time = 0; time < 2; time++) {
    const { status, stderr } = move('one', 'copy');
    assert.match(stderr, /posters: 0 pictures in .*copy, equal/);
    assert.equal(status, 0);
  }
  const listed = JSON.parse(sosia('app', 'list', '--data', join(work, 'copy'), '--json')) as unknown[];
  assert.equal(listed.length, 1);

  addWithoutKey('two');
  addWithoutKey('two');
  for (const [from, to, several] of [
    ['two', 'other', 'two'],
    ['one', 'two', 'two'],
  ] as const) {
    const { status, stderr } = move(from, to);
    assert.match(stderr, new RegExp(`posters: expected one application .* in .*${several}; .*sosia key create`));
    assert.equal(status, 1);
  }
  assert.equal(JSON.parse(sosia('app', 'list', '--data', join(work, 'two'), '--json')).length, 2);
});

type Ask = (operation: string, values?: Values) => Promise<any>;

test('sources are copied with what they know; what a cluster does not use is named first', async () => {
  const pictures = join(work, 'pictures');
  mkdirSync(pictures);
  for (const number of [1, 2]) {
    copyFileSync(photograph(number), join(pictures, `${number}.jpg`));
    utimesSync(join(pictures, `${number}.jpg`), 1, 1);
  }
  /** The source after a pass. */
  const followed = async (folder: string, begin: (ask: Ask, server: RunningServer) => Promise<unknown>) => {
    const data = join(work, folder);
    const { key: application_key } = parsed(sosia('admin', 'key', '--data', data, '--json'))[0];
    const server = await startServerOn(data, { source_folders: pictures });
    const ask: Ask = (operation, values) =>
      askServer(server, 'administration', operation, { application_key, application: 'followed', ...values });
    try {
      await begin(ask, server);
      for (;;) {
        const { source } = await ask('GetSource', { source: 'photos' });
        if (source.last_pass !== null && source.state === 'waiting') return source;
        await pause(50);
      }
    } finally {
      await server.close();
    }
  };
  sosia('app', 'create', '--type', 'media-matching', '--name', 'followed', '--data', join(work, 'first'));
  const before = await followed('first', async (ask, server) => {
    const { secret: application_key } = await ask('CreateKey', { name: 'k', scopes: ['search', 'add', 'administer'] });
    const search = { application_key, search_id: 's', image_content: readFileSync(photograph(3)) };
    assert.equal((await askServer(server, 'review', 'SaveSearch', search)).status.code, 0);
    const list = { application_key, list_id: 'l', hashes: Buffer.from(`${'0'.repeat(64)},100,of nobody\n`) };
    assert.equal((await askServer(server, 'review', 'ImportHashes', list)).status.code, 0);
    const picture = { application_key, image_id: 'found', image_content: readFileSync(photograph(3)) };
    assert.equal((await askServer(server, 'enginemodify', 'AddImage', picture)).status.code, 0);
    await ask('CreateSource', { name: 'photos', kind: 'folder', path: pictures, interval: 3600 });
  });
  assert.deepEqual([before.pictures, before.progress.added], [2, 2]);
  const { status, stderr } = move('first', 'second');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^followed: 3 pictures/);
  const after = await followed('second', async (ask, server) => {
    const { secret: application_key } = await ask('CreateKey', { name: 'other', scopes: ['search', 'administer'] });
    const listed = await askServer(server, 'review', 'ListEvents', { application_key });
    assert.deepEqual(
      listed.events.map(({ id, image_id }: { id: number; image_id: string }) => [id, image_id]),
      [[1, 'found']],
    );
    const near = await askServer(server, 'review', 'SearchHashes', { application_key, pdq: '0'.repeat(64) });
    assert.deepEqual([near.matches[0].list_id, near.matches[0].label], ['l', 'of nobody']);
  });
  assert.deepEqual([after.pictures, after.failed, after.progress.work, after.progress.removed], [2, 0, 0, 0]);
});
