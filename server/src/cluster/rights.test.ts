import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterAddress, clusterAddress } from './address.ts';
import type { Call, Connection } from './connection.ts';
import { unmarkedReply } from './replies.test.kit.ts';
import { missingRights, withoutRights } from './rights.ts';

/** A cluster that answers by path, and what it was sent; the name of the index that is not there is `none`. */
function cluster(
  answer: (path: string) => { status?: number; body?: object },
  address: ClusterAddress = clusterAddress('http://user:word@127.0.0.1:1'),
) {
  const calls: Call[] = [];
  const send = async (call: Call) => {
    const path = call.path.replaceAll(/sosia-rights-[0-9a-f-]{36}/g, 'none');
    calls.push({ ...call, path });
    return unmarkedReply(call, answer(path));
  };
  return { connection: { address, send } as unknown as Connection, calls };
}
const forbidden = (reason: string) => ({ status: 403, body: { error: { type: 'security_exception', reason } } });

test('a user has the rights whose requests are not refused for lack of them, whatever else is answered', async () => {
  for (const status of [200, 400, 403, 404, 405, 408, 409, 429, 500, 503]) {
    const { connection, calls } = cluster(() => ({ status, body: { error: { type: 'other' } } }));
    assert.deepEqual(await missingRights(connection), [], String(status));
    assert.equal(calls.length, 26);
  }
  const { connection } = cluster(() => ({ status: 401, body: {} }));
  await assert.rejects(missingRights(connection), { error: 'CLUSTER_UNEXPECTED' }, 'a wrong password');
});

test('a right that is missing is named once, as the cluster names it or else by the request', async () => {
  const { connection } = cluster((path) => {
    if (path.startsWith('/_cluster/reroute')) return forbidden('nothing more');
    if (path.endsWith('_bulk') || path.includes('_bulk?'))
      return forbidden('no permissions for [indices:data/write/bulk[s], indices:x] and User [name=user]');
    return { status: 404 };
  });
  const missing = ['cluster:admin/reroute', 'indices:data/write/bulk[s]', 'indices:x'];
  assert.deepEqual((await missingRights(connection)).sort(), missing);
  const item = { errors: true, items: [{ delete: { error: forbidden('none').body.error } }] };
  const inPart = cluster((path) => (path.startsWith('/sosia/_bulk') ? { body: item } : { status: 404 }));
  assert.deepEqual(await missingRights(inPart.connection), ['indices:data/write/bulk[s]']);
  assert.match(
    withoutRights(missing).message,
    /the user may not cluster:admin\/reroute, .*deploy\/cluster\/roles\.yml/,
  );
});

test('a cluster without users is sent nothing; a certificate is one, too', async () => {
  const plain = cluster(() => ({}), clusterAddress('http://127.0.0.1:1'));
  assert.deepEqual(await missingRights(plain.connection), []);
  assert.equal(plain.calls.length, 0);
  const certified = cluster(() => ({}), { ...clusterAddress('http://127.0.0.1:1'), cert: 'PEM' });
  await missingRights(certified.connection);
  assert.ok(certified.calls.length > 0);
});

test('no request changes anything: it is for an index that is not there, or has a condition that is not met', async () => {
  const { connection, calls } = cluster(() => ({ status: 404 }));
  await missingRights(connection);
  const deletion = '{"delete":{"_id":"none","if_seq_no":0,"if_primary_term":1}}\n';
  const changing = calls.filter(({ method, path }) => method !== 'GET' && !/_search$|_mget$|_refresh$/.test(path));
  assert.deepEqual(
    changing.map(({ method, path, body }) => [`${method} ${path}`, body]),
    [
      ['PUT /_cluster/settings', { persistent: { [connectionName(calls)]: null } }],
      ['POST /_cluster/reroute?dry_run=true&metric=none', undefined],
      ['PUT /none', { settings: { number_of_shards: 0 } }], // is refused
      ['DELETE /none', undefined],
      ['PUT /none/_settings', { 'index.number_of_replicas': 0 }],
      [
        'POST /_aliases',
        { actions: [{ add: { index: connectionName(calls), alias: `${connectionName(calls)}-alias` } }] },
      ],
      ['PUT /none/_block/write', undefined],
      ['POST /none/_split/none-2', { settings: { 'index.number_of_shards': 2 } }],
      ['POST /none/_forcemerge?max_num_segments=1', undefined],
      ['PUT /none/_doc/none?require_alias=true', {}],
      ['DELETE /none/_doc/none', undefined],
      ['POST /none/_bulk', deletion],
      ['POST /sosia/_bulk?timeout=1s', deletion],
    ],
  );
});

/** The drawn name of the index that is not there. */
function connectionName(calls: readonly Call[]): string {
  const { body } = calls.find(({ path }) => path === '/_cluster/settings')!;
  const [name] = Object.keys((body as { persistent: object }).persistent);
  assert.match(name!, /^sosia-rights-[0-9a-f-]{36}$/);
  return name!;
}
