import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type ApplicationType, typeDefinitions } from '@sosia/engine';
import { pictureNames, readPicture } from '@sosia/fixtures';
import { Failure } from '@sosia/server';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Connection } from '@sosia/server/cluster/connection';
import { Pictures } from '@sosia/server/cluster/pictures';
import { removeMarks } from '@sosia/server/cluster/upkeep';
import { Metrics } from '@sosia/server/metrics/metrics';
import { standardDefaults } from '@sosia/server/applications/create';
import { pictureOf } from '../pictures/raster.ts';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const missing = [
  ...(engineInstalled() ? [] : ['OpenSearch is not installed: `npm run cluster -- install`']),
  ...(spawnSync('openssl', ['version']).status === 0 ? [] : ['openssl is not installed']),
];
const skip = missing.length > 0 && missing.join('; ');

/** A request that changed the cluster. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

const folder = mkdtempSync(join(tmpdir(), 'sosia-secured-'));
const certificates = mkdtempSync(join(tmpdir(), 'sosia-certificates-'));
const ca = join(certificates, 'ca.pem');
const changes: Sent[] = [];
/** Called before a request goes on. */
let held: (method: string, path: string) => Promise<void> = async () => {};
let node = '';
let proxy: Server | undefined;
let port = 0;

before(async () => {
  if (skip) return;
  certify();
  node = (await startCluster(folder, { nodes: 1, javaOptions: ['-XX:TieredStopAtLevel=1'] }))[0]!.url;
  proxy = await securedFrontOf(node);
  port = (proxy.address() as AddressInfo).port;
});
after(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await stopCluster(folder);
  rmSync(certificates, { recursive: true });
});

/** An authority, and a certificate of it for `localhost` alone. */
function certify(): void {
  const openssl = (...words: string[]): void => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: certificates, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  const of = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', '-x509', ...key, ...of, '-subj', '/CN=localhost', '-keyout', 'host.key', '-out', 'host.pem');
}

/** Ends TLS in front of a node and demands a password, as the security plugin of OpenSearch does. Remembers changes of pictures. */
async function securedFrontOf(url: string): Promise<Server> {
  const read = (name: string): Buffer => readFileSync(join(certificates, name));
  const server = createServer({ key: read('host.key'), cert: read('host.pem') }, (incoming, outgoing) => {
    void (async () => {
      const body = await buffer(incoming);
      const { method = '', url: path = '', headers } = incoming;
      if (headers.authorization !== `Basic ${Buffer.from('sosia:s3cret é').toString('base64')}`) {
        outgoing.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized');
        return;
      }
      if (method === 'PUT' && /\/secured-\d+\/_(create|doc)\//.test(path)) changes.push({ method, path, body });
      await held(method, path);
      const { host: _host, authorization: _authorization, ...rest } = headers;
      const passed = request(new URL(path, url), { method, headers: rest }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      passed.end(body);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const prefix = 'secured';
const address = (user = 'sosia:s3cret%20%C3%A9@', host = 'localhost'): string =>
  `https://${user}${host}:${port}/${prefix}`;
const row = (type: ApplicationType) => ({
  keys: [],
  enabled: true,
  type,
  name: type,
  defaults: standardDefaults,
});
const start = (at: string, caFile?: string): Promise<ClusteredBackend> =>
  ClusteredBackend.start(clusterAddress(at, { ca: caFile }), { threads: 1, metrics: new Metrics(), warn: () => {} });

test(
  'a cluster behind TLS and a password works, and a wrong certificate or password is refused by name',
  { skip },
  async (t) => {
    const refused: [what: string, at: string, ca: string | undefined, error: RegExp][] = [
      ['an unknown authority', address(), undefined, /CLUSTER_UNREACHABLE.*(certificate|signed)/i],
      ['a certificate of another host', address(undefined, '127.0.0.1'), ca, /CLUSTER_UNREACHABLE.*(IP|altnames)/i],
      ['a wrong password', address('sosia:wrong@'), ca, /CLUSTER_DENIED/],
      ['no password', address(''), ca, /CLUSTER_DENIED/],
      ['no TLS', address().replace('https:', 'http:'), undefined, /CLUSTER_UNREACHABLE/],
    ];
    for (const [what, at, caFile, expected] of refused) {
      const failure = await start(at, caFile).then(
        async (backend) => {
          await backend.close();
          return 'it was accepted';
        },
        (cause: unknown) => (cause instanceof Failure ? `${cause.error} ${cause.message}` : String(cause)),
      );
      assert.match(failure, expected, what);
      assert.doesNotMatch(failure, /s3cret|wrong/, what);
    }
    const backend = await start(address(), ca);
    t.after(() => backend.close());
  },
);

test('a service that starts while an application is created leaves its number alone', { skip }, async (t) => {
  const backend = await start(address(), ca);
  t.after(() => backend.close());
  const taken: number[][] = [];
  let isHeld = false;
  held = async (method, path) => {
    if (method !== 'POST' || path !== '/_aliases' || isHeld) return;
    isHeld = true; // a repetition of the request goes on
    const late = await start(address(), ca);
    taken.push(late.store.deleted());
    for (const number of late.store.deleted()) await late.purge(number);
    await late.close();
  };
  t.after(() => (held = async () => {}));
  const { number } = await backend.store.create(row('media-matching'));
  assert.deepEqual(taken, [[]]);
  await backend.store.delete(number);
  assert.deepEqual(backend.store.deleted(), []);
});

test('an addition that a hanging node carries out late does not bring a deleted picture back', { skip }, async (t) => {
  const backend = await start(address(), ca);
  t.after(() => backend.close());
  const type = 'media-matching';
  const record = await backend.store.create(row(type));
  const references = backend.open(record);
  const dna = typeDefinitions[type].describe(pictureOf(readPicture(pictureNames[0])), 'reference');
  const search = { dna, restriction: { keywords: [], ids: null }, page: { start: 0, count: 10 }, below: 1 };
  const found = async (): Promise<string[]> =>
    (await references.search({ ...search, colorWeight: 0 })).images.map(({ id }) => id);

  await references.add({ id: 'late', keywords: [], dna });
  await references.change('late', { keywords: ['red'] });
  await references.delete('late');
  await references.add({ id: 'late', keywords: ['second'], dna });
  assert.deepEqual(await found(), ['late']);
  await references.delete('late');
  const sent = [...changes];
  assert.equal(sent.length, 6); // the second addition meets the mark and replaces it
  for (const { method, path, body } of sent) {
    const again = { method, body: new Uint8Array(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(new URL(path, node), again);
    assert.equal(answer.status, 409, `${path} was carried out again`);
  }
  assert.deepEqual(await found(), []);
  assert.deepEqual([await references.has('late'), await references.count()], [false, 0]);
  const page = { start: 0, count: 10 };
  assert.deepEqual(await references.list({ keywords: [], ids: null }, page), { found: 0, images: [] });
  const unknown = { error: 'UNKNOWN_IMAGE' };
  await assert.rejects(references.image('late'), unknown);
  await assert.rejects(references.dna('late'), unknown);
  await assert.rejects(references.thumbnail('late'), unknown);
  await assert.rejects(references.details('late'), unknown);
  await assert.rejects(references.change('late', { keywords: [] }), unknown);
  await assert.rejects(references.delete('late'), { error: 'IMAGE_NOT_FOUND' });

  // marks go after an hour
  const connection = new Connection(clusterAddress(address(), { ca }));
  t.after(() => connection.close());
  const pictures = Pictures.of(connection, record.number);
  const marks = async (): Promise<number> => {
    const index = `${node}/${prefix}-${record.number}`;
    await fetch(`${index}/_refresh`, { method: 'POST' });
    return ((await (await fetch(`${index}/_count`)).json()) as { count: number }).count;
  };
  await removeMarks(pictures);
  assert.equal(await marks(), 1);
  await removeMarks(pictures, Date.now() + 1);
  assert.equal(await marks(), 0);
  await references.add({ id: 'late', keywords: [], dna });
  assert.deepEqual(await found(), ['late']);
});
