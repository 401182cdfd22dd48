import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { clusterAddress } from '@sosia/server/cluster/address';
import { Connection } from '@sosia/server/cluster/connection';
import { missingRights } from '@sosia/server/cluster/rights';
import { setUpCluster } from '@sosia/server/cluster/set-up';
import { authority, certify, secureCluster, type Certificate } from './security.ts';

// The security plugin itself is in the system test `rights`; its answers here are those that it gave there.

const read = { method: 'GET', path: '/' } as const;
const change = { method: 'PUT', path: '/', changes: true } as const;

async function listening(t: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-access-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function connect(t: TestContext, ...address: Parameters<typeof clusterAddress>): Connection {
  const connection = new Connection(clusterAddress(...address));
  t.after(() => connection.close());
  return connection;
}

const denied = (right: string) => ({
  type: 'security_exception',
  reason: `no permissions for [${right}] and User [name=keeper, backend_roles=[], requestedTenant=null]`,
});

/** What the plugin answers to a user who may not search, refresh a shard, or change several documents. */
function refused(url: string): object | undefined {
  if (url.endsWith('/_search')) return { error: denied('indices:data/read/search'), status: 403 };
  if (url === '/sosia/_refresh') {
    const failures = [{ shard: 0, index: 'sosia', status: 'FORBIDDEN', reason: denied('indices:admin/refresh[s]') }];
    return { _shards: { total: 1, successful: 0, failed: 1, failures } };
  }
  if (url.startsWith('/sosia/_bulk')) {
    const error = denied('indices:data/write/bulk[s]');
    return { took: 1, errors: true, items: [{ delete: { _index: 'sosia', _id: 'none', status: 403, error } }] };
  }
  return undefined;
}

test('each right that the plugin refuses is named, wherever its answer has it, and nothing is set up', async (t) => {
  const requests: string[] = [];
  const answer = ({ method, url }: IncomingMessage, response: ServerResponse): void => {
    const body = refused(url!);
    requests.push(`${method} ${url}`);
    const status = body && !url!.includes('_bulk') ? 403 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { version: { distribution: 'opensearch', number: '2.19.5' } }));
  };
  const host = await listening(t, createPlainServer(answer));
  const connection = connect(t, `http://keeper:secret@${host}`);
  const missing = ['indices:admin/refresh[s]', 'indices:data/read/search', 'indices:data/write/bulk[s]'];
  assert.deepEqual((await missingRights(connection)).sort(), missing);
  await assert.rejects(connection.send({ method: 'POST', path: '/sosia/_refresh' }), {
    error: 'CLUSTER_DENIED',
    detail: /indices:admin\/refresh\[s\]/,
  });
  assert.deepEqual(await missingRights(connect(t, `http://${host}`)), []);
  requests.length = 0;
  await assert.rejects(setUpCluster(connection), { error: 'CLUSTER_DENIED', detail: /may not .*read\/search/ });
  assert.ok(requests.every((each) => !/^PUT \/sosia(-records-1)?\?/.test(each)));
});

test('a new password counts without a restart, for requests at the same time too', async (t) => {
  const file = join(newFolder(t), 'password');
  let password = 'first';
  const host = await listening(
    t,
    createPlainServer(({ headers }, response) => {
      const valid = headers.authorization === `Basic ${Buffer.from(`keeper:${password}`).toString('base64')}`;
      response.writeHead(valid ? 200 : 401).end('{}');
    }),
  );
  writeFileSync(file, `${password}\n`);
  const connection = connect(t, `http://keeper@${host}`, { password: file });
  await connection.send(read);
  password = 'second';
  await assert.rejects(connection.send(read), { error: 'CLUSTER_DENIED' });
  writeFileSync(file, `${password}\r\n`);
  await Promise.all(Array.from({ length: 8 }, () => connection.send(change)));
  rmSync(file);
  await connection.send(read);
});

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

test('new certificates and authorities count without a restart', { skip }, async (t) => {
  const [folder, others, work] = [newFolder(t), newFolder(t), newFolder(t)] as const;
  for (const each of [folder, others]) secureCluster(each, '', {});
  const own = { ca: join(work, 'ca.pem'), cert: join(work, 'own.pem'), key: join(work, 'own.key') };
  const take = (from: string, { certificate, key }: Certificate): void => {
    copyFileSync(authority(from), own.ca);
    copyFileSync(certificate, own.cert);
    copyFileSync(key, own.key);
  };
  const contextOf = (from: string) => {
    const { certificate, key } = certify(from, 'host');
    return { cert: readFileSync(certificate), key: readFileSync(key), ca: readFileSync(authority(from)) };
  };
  take(folder, certify(folder, 'service'));
  const demand = { ...contextOf(folder), requestCert: true, rejectUnauthorized: true };
  const server = createServer(demand, (_, answer) => answer.end('{}'));
  const connection = connect(t, `https://${await listening(t, server)}`, own);
  await connection.send(read);
  server.setSecureContext(contextOf(others));
  server.closeAllConnections();
  await assert.rejects(connection.send(read), { error: 'CLUSTER_UNREACHABLE' });
  take(others, certify(others, 'service'));
  await Promise.all(Array.from({ length: 8 }, () => connection.send(change)));
});
