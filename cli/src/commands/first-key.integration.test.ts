import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { errorCodes } from '@sosia/client';
import { end, Services, type Serving } from '../testing/service.test.kit.ts';

// The administrator's key of a first start: where it is shown, where it is not, and what replaces it.

const services = new Services();
after(() => services.close());

interface Shown {
  readonly key: string;
  readonly page: string;
  /** One that makes another key, and one that ends this key. */
  readonly commands: readonly [string, string];
}

/** What a person reads. */
async function shownBy({ says }: Serving): Promise<Shown> {
  const [, key, page, ...commands] = await says(
    /^The administrator's key, which is shown this once:\n\n {2}(\w+)\n\nSign in with it at (\S+) [^]*?\n {2}(.* admin .*)\n {2}(.* admin .*)\n/m,
  );
  return { key: key!, page: page!, commands: commands as [string, string] };
}

const shell = (command: string): string =>
  execFileSync('/bin/sh', ['-c', command], { cwd: services.home, env: services.env, encoding: 'utf8', stdio: 'pipe' });

/** The code of a sign-in to the page, as the page sends it. */
async function signIn(page: string, key: string): Promise<number> {
  const { origin } = new URL(page);
  const answer = await fetch(new URL('api/sign-in', page), {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ application_key: key }),
  });
  const { status, administrator } = (await answer.json()) as { status: { code: number }; administrator?: object };
  if (status.code === 0) assert.ok(administrator, 'a session of an administrator');
  return status.code;
}

async function said({ child, err }: Serving): Promise<string> {
  await end(child);
  return err;
}

/** Bytes of all files. */
function bytesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map((each) => readFileSync(join(each.parentPath, each.name), 'latin1')).join('\n');
}

for (const name of ['serve', 'demo'] as const) {
  test(`the first start of sosia ${name} shows the key once; what was missed is replaced as the text says`, async () => {
    const folder = `${name} it's`;
    const first = await services.start(name, folder, '--log-level', 'trace');
    assert.equal(first.line.administrator_key, undefined);
    const shown = await shownBy(first);
    assert.equal(shown.page, `http://127.0.0.1:${first.modify}/console/`);
    assert.equal(await signIn(shown.page, shown.key), 0);

    const [another, revoke] = shown.commands;
    const replacement = shell(another).trim();
    assert.equal(await signIn(shown.page, replacement), 0);
    shell(revoke);
    assert.equal(await signIn(shown.page, shown.key), errorCodes.UNKNOWN_APPLICATION);
    assert.equal(await signIn(shown.page, replacement), 0);

    const all = await said(first);
    assert.equal(all.split(shown.key).length, 2, 'shown once');
    for (const line of all.split('\n').filter((each) => each.startsWith('{'))) assert.ok(!line.includes(shown.key));
    assert.ok(!bytesOf(services.home).includes(shown.key), 'no file has it');

    const second = await services.start(name, folder);
    assert.equal(second.line.administrator_key, undefined);
    assert.doesNotMatch(await said(second), /administrator/i);
  });
}

test('with --json the key is in the line of JSON alone', async () => {
  const first = await services.start('serve', 'json', '--json');
  const key = first.line.administrator_key!;
  assert.equal(await signIn(`http://127.0.0.1:${first.modify}/console/`, key), 0);
  const err = await said(first);
  assert.ok(!err.includes(key) && !/administrator/i.test(err), err);
  assert.deepEqual((await first.out).trim().split('\n').length, 1);
  const second = await services.start('serve', 'json', '--json');
  assert.ok(!('administrator_key' in second.line));
  await end(second.child);
});
