import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors, type RunningServer } from '@sosia/server';
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
  for (const said of [/posters: 0 pictures in .*copy, equal/, /posters: moved to .*copy before/]) {
    const { status, stderr } = move('one', 'copy');
    assert.match(stderr, said);
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

const KILLS = 5;

test('an application moves beside its service, and is whole though the move is killed again and again', async (t) => {
  const [from, to] = [join(work, 'served'), join(work, 'moved')];
  const created = sosia('app', 'create', '--type', 'media-matching', '--name', 'busy', '--data', from, '--json');
  const { application_key } = parsed(created)[0];
  const first = await startServerOn(from, {});
  t.after(() => first.close());
  const contents = [1, 2, 3].map((number) => readFileSync(photograph(number)));
  /** Keywords by the id of each picture that is there. */
  const expected = new Map<string, string>();
  const ask = (server: RunningServer, operation: string, values: Values = {}): Promise<any> =>
    askServer(server, operation === 'ListImages' ? 'enginequery' : 'enginemodify', operation, {
      application_key,
      ...values,
    });
  const done = async (operation: string, values: Values): Promise<boolean> => {
    const { code, message } = (await ask(first, operation, values)).status;
    assert.ok(code === 0 || code === errors.APPLICATION_MOVED.code, `${operation}: ${message}`);
    return code === 0;
  };
  const add = async (image_id: string, words: string): Promise<boolean> => {
    const isDone = await done('AddImage', { image_id, image_content: contents[randomInt(3)]!, keywords: words });
    if (isDone) expected.set(image_id, words);
    return isDone;
  };
  const change = async (i: number): Promise<boolean> => {
    const [id] = [...expected.keys()].slice(randomInt(expected.size));
    if (randomInt(2) === 0) return add(`new ${i}`, `of-${i}`);
    if (!(await done('DeleteImage', { image_id: id! }))) return false;
    expected.delete(id!);
    return randomInt(2) === 0 || add(id!, `again-${i}`);
  };
  for (let i = 0; i < 10; i++) await add(`early ${i}`, 'early');
  let changes = 0;
  const changing = (async () => {
    while (await change(changes)) changes++;
  })();
  const words = [bin, 'move', '--from', from, '--to', to];
  for (let kills = 0; kills < KILLS; kills++) {
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    const closed = once(child, 'close');
    await Promise.race([closed, pause(200 + randomInt(1000))]);
    child.kill('SIGKILL');
    await closed;
  }
  const { status, stderr } = await finished(spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] }));
  assert.equal(status, 0, stderr);
  await changing;
  assert.ok(changes > 10, `${changes} changes`);
  assert.equal(
    (await ask(first, 'DeleteImage', { image_id: [...expected.keys()][0]! })).status.code,
    errors.APPLICATION_MOVED.code,
  );
  const shown = async (): Promise<unknown> =>
    (await askServer(first, 'administration', 'GetApplication', { application_key })).application.state;
  const administer = async (operation: string, values: Values): Promise<number> =>
    (await askServer(first, 'administration', operation, { application_key, ...values })).status.code;
  for (const [operation, values] of [
    ['CreateKey', { name: 'k', scopes: ['add'] }],
    ['SetApplication', { enabled: 1 }],
  ] as const)
    assert.equal(await administer(operation, values), errors.APPLICATION_MOVED.code, operation);
  assert.equal(await shown(), 'moved');
  assert.equal(JSON.parse(sosia('app', 'list', '--data', from, '--json'))[0].state, 'moved');
  sosia('app', 'enable', 'busy', '--data', from);
  assert.ok(await done('DeleteImage', { image_id: [...expected.keys()][0]! }), 'of the place that was left');
  assert.equal(await shown(), undefined);
  const second = await startServerOn(to, {});
  t.after(() => second.close());
  const listed = await ask(second, 'ListImages', { nb_results: 1000 });
  const found = listed.images.map(({ id, keywords }: { id: string; keywords: string[] }) => [id, keywords.join()]);
  assert.deepEqual(new Map(found), expected);
  assert.equal((await ask(second, 'AddImage', { image_id: 'later', image_content: contents[0]! })).status.code, 0);
});

async function finished(child: ChildProcess): Promise<{ status: number; stderr: string }> {
  const [stderr, [status]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
  return { status: status as number, stderr };
}
