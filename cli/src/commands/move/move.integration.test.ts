import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bin } from '../../testing/service.test.kit.ts';

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
