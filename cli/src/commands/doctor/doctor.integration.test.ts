import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parsed, startBeside } from '../../testing/sosia.test.kit.ts';
import type { Beside } from '../../testing/sosia.test.kit.ts';
import { checkNode } from './checks.ts';

let beside: Beside;
before(async () => {
  beside = await startBeside();
});
after(() => beside.close());

const portOf = (address: string): string => new URL(address).port;

async function doctor(key: string, ...words: string[]) {
  const { code, out, err } = await beside.sosia(key, 'doctor', '--json', ...words);
  const checks = parsed(out) as { what: string; state: string; detail: string; remedy?: string }[];
  return { code, err, of: (what: string) => checks.find((each) => each.what === what)! };
}

test('a sound installation beside a running service', async () => {
  const { SOSIA_MODIFY_URL, SOSIA_QUERY_URL } = beside.environment;
  const ports = ['--modify-port', portOf(SOSIA_MODIFY_URL), '--query-port', portOf(SOSIA_QUERY_URL)];
  const { code, of } = await doctor(beside.application(), '--data', beside.data, ...ports);
  assert.equal(code, 0);
  for (const what of ['decoding', 'data folder', 'MODIFY port', 'QUERY port', 'key'])
    assert.equal(of(what).state, 'ok', what);
  assert.match(of('QUERY port').detail, /a service is ready/);
  assert.match(of('data folder').detail, /1 application$/);
});

test('a foreign folder, a port of another program and a wrong key are wrong, each with a remedy', async () => {
  mkdirSync(join(beside.home, 'photographs'));
  writeFileSync(join(beside.home, 'photographs', 'a.jpg'), 'a');
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"status":"UP"}'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  try {
    const taken = String((other.address() as AddressInfo).port);
    const query = portOf(beside.environment.SOSIA_QUERY_URL);
    const words = ['--data', 'photographs', '--modify-port', taken, '--query-port', query];
    const { code, err, of } = await doctor('wrong', ...words);
    assert.equal(code, 1);
    assert.match(err, /3 of \d checks found something wrong/);
    for (const what of ['data folder', 'MODIFY port', 'key']) {
      assert.equal(of(what).state, 'wrong', what);
      assert.ok(of(what).remedy, what);
    }
    assert.match(of('MODIFY port').detail, /used by another program/);
  } finally {
    other.close();
  }
});

test('the remedy for a service that does not answer names options of the command itself', async () => {
  const { remedy = '' } = (await doctor('any', '--query-port', '1', '--modify-port', '1')).of('key');
  const options = remedy.match(/--[a-z-]+/g) ?? [];
  const { out } = await beside.sosia('', 'doctor', '--help');
  assert.ok(options.length > 0, remedy);
  for (const option of options) assert.ok(out.includes(`${option} `), option);
});

test('people get a line a check, and what to do', async () => {
  const { err } = await beside.sosia('', 'doctor', '--data', 'new', '--modify-port', '1', '--host', '192.0.2.1');
  assert.match(err, /^ok +decoding/m);
  assert.match(err, /^wrong +MODIFY port +1 of 192\.0\.2\.1: EADDRNOTAVAIL\n +-> --host must be/m);
});

test('a Node below the lowest promised is a warning', () => {
  assert.equal(checkNode('20.19.0', '>=20.19').state, 'ok');
  const { state, detail } = checkNode('20.9.0', '>=20.19');
  assert.deepEqual([state, detail], ['warning', '20.9.0, expected >=20.19']);
});
