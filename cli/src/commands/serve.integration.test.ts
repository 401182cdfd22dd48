import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { errorCodes } from '@sosia/client';
import { formOf } from '@sosia/client/form';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { bin, end, Services } from '../testing/service.test.kit.ts';

const services = new Services();
const { home } = services;
after(() => services.close());

const serve = (folder: string, ...flags: string[]) => services.start('serve', folder, ...flags);
const demo = (folder: string, ...flags: string[]) => services.start('demo', folder, ...flags);

function app(folder: string, ...words: string[]) {
  const all = [bin, 'app', ...words, '--data', join(home, folder), '--json'];
  return JSON.parse(execFileSync(process.execPath, all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

async function codeOf(port: number, key: string): Promise<number> {
  const address = `http://127.0.0.1:${port}/api/v2.0/enginequery/json/GetApplicationStatus?application_key=${key}`;
  return ((await (await fetch(address)).json()) as { status: { code: number } }).status.code;
}

test('stdout is one line of JSON with both ports, and SIGTERM ends with 0', async () => {
  const { child, out, modify, query } = await serve('plain');
  assert.notEqual(modify, query);
  assert.equal(await codeOf(query, 'nobody'), errorCodes.UNKNOWN_APPLICATION);
  assert.equal(await end(child, 'SIGTERM'), 0);
  assert.equal(await out, `${JSON.stringify({ ready: true, modify, query })}\n`);
});

test('the line with the ports is also on a terminal where stderr is none, since nothing else has them', async () => {
  const terminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];
  const ports = ['--modify-port', '0', '--query-port', '0', '--stop-grace', '0'];
  const child = spawn(process.execPath, [...terminal, bin, 'serve', '--data', join(home, 'logged'), ...ports]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  assert.ok(JSON.parse(String(line)).ready);
  assert.equal(await end(child, 'SIGTERM'), 0);
});

test('a running server applies at once the applications created, disabled, enabled and deleted beside it', async () => {
  const { child, query } = await serve('beside');
  const { application_key: key } = app('beside', 'create', '--type', 'media-matching', '--name', 'posters');
  assert.equal(await codeOf(query, key), 0);
  app('beside', 'disable', 'posters');
  assert.equal(await codeOf(query, key), errorCodes.UNKNOWN_APPLICATION);
  app('beside', 'enable', 'posters');
  assert.equal(await codeOf(query, key), 0);
  app('beside', 'delete', 'posters', '--yes');
  assert.equal(await codeOf(query, key), errorCodes.UNKNOWN_APPLICATION);
  assert.equal(await end(child, 'SIGINT'), 0);
});

test('a second server on the folder, and a port that is taken, end with 1 and a sentence', async () => {
  const { child, modify } = await serve('held');
  for (const [second, sentence] of [
    [services.spawn('serve', 'held'), /^sosia: The data folder is in use by another server: .* \(-2893\)$/m],
    [
      services.spawn('serve', 'free', '--modify-port', String(modify)),
      new RegExp(`^sosia: port ${modify} of 127.0.0.1 is taken`, 'm'),
    ],
  ] as const) {
    const said = text(second.stderr!);
    assert.equal((await once(second, 'exit'))[0], 1);
    assert.match(await said, sentence);
  }
  await end(child, 'SIGTERM');
});

test('a damaged record of the saved index ends the service, and the next start builds the index anew', async () => {
  const start = () => serve('records', '--save-index-after', '1');
  const first = await start();
  const { application_key: key } = app('records', 'create', '--type', 'media-matching', '--name', 'posters');
  const send = async (port: number, operation: string, values: Record<string, string | Uint8Array>) => {
    const body = formOf({ application_key: key, ...values });
    const answer = await fetch(`http://127.0.0.1:${port}/v2/${operation}`, { method: 'POST', body });
    return (await answer.json()) as { status: { code: number }; nb_results_found: number };
  };
  const picture = { image_content: readFileSync(join(samplesFolder, 'kodim05.jpg')) };
  assert.equal((await send(first.modify, 'enginemodify/AddImage', { image_id: 'a', ...picture })).status.code, 0);
  await end(first.child, 'SIGTERM');

  const index = join(home, 'records', 'index');
  const [name] = readdirSync(index).filter((each) => each.includes('.records-'));
  writeFileSync(
    join(index, name!),
    readFileSync(join(index, name!)).map((byte) => byte ^ 1),
  );
  const damaged = await start();
  const ended = once(damaged.child, 'exit', { signal: AbortSignal.timeout(60_000) });
  await send(damaged.query, 'enginequery/SearchImageByUpload', picture).catch(() => {});
  assert.equal((await ended)[0], 1);
  assert.match(await damaged.err, /expected the checksum/);

  const rebuilt = await start();
  assert.equal((await send(rebuilt.query, 'enginequery/SearchImageByUpload', picture)).nb_results_found, 1);
  await end(rebuilt.child, 'SIGTERM');
});

test('a second signal ends the process at once', async () => {
  const { child, err } = await serve('hurry', '--stop-grace', '5000');
  const ended = once(child, 'exit');
  const stopping = new Promise<void>((resolve) =>
    child.stderr!.on('data', (lines) => String(lines).includes('"msg":"stopping"') && resolve()),
  );
  child.kill('SIGTERM');
  await stopping; // two signals that come before the first is looked at are one
  child.kill('SIGTERM');
  assert.equal((await ended)[0], 1);
  assert.match(await err, /"msg":"stopping"/);
});

test('the demo indexes the samples, finds an edited one by the line it prints, and keeps its key for itself', async () => {
  const pictures = join(home, 'pictures');
  mkdirSync(join(pictures, 'samples'), { recursive: true });
  for (const name of ['kodim05.jpg', 'kodim23.jpg']) cpSync(join(samplesFolder, name), join(pictures, 'samples', name));
  cpSync(editedFolder, join(pictures, 'edited'), { recursive: true });

  const first = await demo('demo', '--pictures', pictures, '--log-level', 'warn');
  const keyFile = join(home, 'demo', 'demo.key');
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  const key = readFileSync(keyFile, 'utf8').trim();
  const form = formOf({ image_content: readFileSync(join(pictures, 'edited', 'kodim23-rotated.jpg')) });
  const address = `http://127.0.0.1:${first.query}/api/v2.0/enginequery/json/SearchImageByUpload?application_key=${key}`;
  const answer = (await (await fetch(address, { method: 'POST', body: form })).json()) as { images: { id: string }[] };
  assert.deepEqual(
    answer.images.map(({ id }) => id),
    ['kodim23.jpg'],
  );
  await end(first.child, 'SIGTERM');
  const said = await first.err;
  assert.match(said, /indexing sample pictures 2\/2/);
  assert.match(said, new RegExp(`curl -F image_content=@.*kodim05-cropped.jpg[^]*application_key=${key}`));

  const second = await demo('demo', '--pictures', pictures, '--log-level', 'warn');
  await end(second.child, 'SIGTERM');
  assert.match(await second.err, new RegExp(`application_key=${key}`));
  assert.doesNotMatch(await second.err, /indexing/);
});

test('a demo whose pictures are missing names their folder and ends, and serves nothing', async () => {
  const child = services.spawn('demo', 'lacking', '--pictures', join(home, 'nowhere'), '--log-level', 'warn');
  const [said, served, [code]] = await Promise.all([text(child.stderr!), text(child.stdout!), once(child, 'exit')]);
  assert.match(said, /there is no file or folder .*nowhere/);
  assert.deepEqual([served, code], ['', 1]);
});

test('a data folder with applications of its own gets no demo', async () => {
  app('own', 'create', '--type', 'media-matching', '--name', 'posters');
  const { child, err } = await demo('own', '--pictures', home);
  await end(child, 'SIGTERM');
  assert.match(await err, /No demo: .* holds applications already/);
  assert.equal(app('own', 'list').length, 1);
});
