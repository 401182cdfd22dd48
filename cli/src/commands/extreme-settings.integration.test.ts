import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { ConnectionError, errorCodes, Sosia } from '@sosia/client';
import type { SosiaError } from '@sosia/client';
import { settingNames } from '@sosia/server/config';
import type { SettingName } from '@sosia/server/config';
import { photograph } from '../testing/sosia.test.kit.ts';
import { bin, end, Services, type Serving } from '../testing/service.test.kit.ts';

// Each setting at the ends of its range: the service does what it says, or refuses it and names the limit.

const services = new Services();
after(() => services.close());

interface Extreme {
  readonly flags: readonly string[];
  /** What the command says before it ends with a failure. */
  readonly refused?: RegExp;
  /** What a client sees of the running service. */
  readonly observed?: (service: Serving, folder: string) => Promise<void>;
}

const statusOf = async (port: number, path: string, host = '127.0.0.1'): Promise<number> =>
  (await fetch(`http://${host}:${port}${path}`)).status;

/** The children that decode. */
function childrenOf({ child }: Serving): number[] {
  const out = execFileSync('ps', ['-ww', '-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' });
  return out
    .split('\n')
    .filter((line) => line.includes('decode.child'))
    .map((line) => Number.parseInt(line));
}

function application(folder: string): string {
  const words = ['app', 'create', '--type', 'media-matching', '--name', 'a', '--data', join(services.home, folder)];
  const out = execFileSync(process.execPath, [bin, ...words, '--json'], { encoding: 'utf8', stdio: 'pipe' });
  return (JSON.parse(out) as { application_key: string }).application_key;
}

function clientOf({ modify, query }: Serving, key: string): Sosia {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return new Sosia({ modify: at(modify), query: at(query), key, patience: { retries: 0, firstWait: 0 } });
}

/** Creates sources of an application, and gives the codes of the answers. */
function creatingSources({ modify }: Serving, folder: string) {
  application(folder);
  const words = ['admin', 'key', '--data', join(services.home, folder), '--json'];
  const out = execFileSync(process.execPath, [bin, ...words], { encoding: 'utf8', stdio: 'pipe' });
  const { key } = JSON.parse(out) as { key: string };
  return async (values: Record<string, string>): Promise<number> => {
    const body = new URLSearchParams({ application_key: key, application: 'a', ...values });
    const url = `http://127.0.0.1:${modify}/api/v2.0/administration/json/CreateSource`;
    const answer = await fetch(url, { method: 'POST', body });
    return ((await answer.json()) as { status: { code: number } }).status.code;
  };
}

const metricsAt =
  (modify: number, query: number) =>
  async (service: Serving): Promise<void> => {
    const found = [await statusOf(service.modify, '/metrics'), await statusOf(service.query, '/metrics')];
    assert.deepEqual(found, [modify, query]);
  };

/** The answer to an address that leads inside. */
const fetches =
  (error: 'FETCHING_OFF' | 'ADDRESS_REFUSED') =>
  async (service: Serving, folder: string): Promise<void> => {
    const search = clientOf(service, application(folder)).search(new URL('http://127.0.0.1/'));
    await assert.rejects(search, { code: errorCodes[error] });
  };

/** A PNG of 20 megapixels of random squares: its decoding takes longer than this process needs to hold the child again. */
function largePicture(): Buffer {
  const [width, height] = [5000, 4000];
  const rows = Buffer.alloc((1 + 3 * width) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const square = Math.floor(y / 100) * 50 + Math.floor(x / 100);
      for (let c = 0; c < 3; c++) rows[y * (1 + 3 * width) + 1 + 3 * x + c] = Math.imul(square + c, 0x9e3779b1) >>> 24;
    }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]); // 8 bits, RGB
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const chunk = (name: string, data: Buffer): Buffer => {
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(Buffer.concat([Buffer.from(name), data])));
    return Buffer.concat([length, Buffer.from(name), data, check]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The bytes that a process has read. */
const readBy = (pid: number): number => Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);

/** Milliseconds; less than the 2.8 s after which a child without progress is replaced. */
const HOLD = 2300;

const REQUESTS = 24;
/** One is worked on and 16 wait. */
const REFUSED_AT_ONCE = REQUESTS - 17;

/** Requests wait as long as the setting says, and no limit of the connection ends them before. The child is held after each picture. */
const waits =
  (seconds: number, kind: 'add' | 'search') =>
  async (service: Serving, folder: string): Promise<void> => {
    const client = clientOf(service, application(folder));
    const picture = largePicture();
    const begin = performance.now();
    const request = async (id: number) => {
      const outcome = await (kind === 'add' ? client.add(`${id}`, picture) : client.search(picture)).then(
        () => 0,
        (cause: unknown) => (cause instanceof ConnectionError ? 'the connection ended' : (cause as SosiaError).code),
      );
      return { outcome, seconds: (performance.now() - begin) / 1000 };
    };
    const state = { ended: false };
    const all = Promise.all(Array.from({ length: REQUESTS }, (_, i) => request(i))).finally(() => (state.ended = true));
    const [child] = childrenOf(service);
    for (let expected = readBy(child!) + picture.length; !state.ended; expected += picture.length) {
      while (!state.ended && readBy(child!) < expected) await pause(1); // until it has the next picture
      process.kill(child!, 'SIGSTOP');
      await pause(HOLD);
      process.kill(child!, 'SIGCONT');
    }
    const outcomes = await all;
    const seen = outcomes.map((each) => `${each.outcome} after ${each.seconds.toFixed(1)} s`).join(', ');
    for (const { outcome } of outcomes) assert.ok(outcome === 0 || outcome === errorCodes.OVERLOADED, seen);
    const refused = outcomes.filter(({ outcome }) => outcome === errorCodes.OVERLOADED);
    const waited = refused.sort((a, b) => a.seconds - b.seconds).slice(REFUSED_AT_ONCE);
    assert.ok(waited.length > 0, seen);
    for (const each of waited) assert.ok(each.seconds >= seconds - 0.1 && each.seconds < seconds + 8, seen);
  };

const root = process.getuid?.() === 0;
const number = (least: number, most: number): RegExp => new RegExp(`expected a whole number from ${least} to ${most}`);

const extremes: Readonly<Record<SettingName, readonly Extreme[]>> = {
  data: [
    { flags: ['--data', '/dev/null'], refused: /^sosia: .*\/dev\/null/m },
    { flags: ['--data', ''], refused: /--data: expected some text/ },
  ],
  cluster: [
    { flags: ['--cluster', 'ftp://a'], refused: /expected http:\/\/host:9200/ },
    { flags: ['--cluster', 'http://a:1/one,http://b:1/two'], refused: /expected one prefix/ },
  ],
  cluster_ca: [
    { flags: ['--cluster-ca', 'ca.pem'], refused: /cluster_ca: expected cluster, too/ },
    { flags: ['--cluster', 'http://127.0.0.1:1', '--cluster-ca', 'ca.pem'], refused: /expected hosts with https:/ },
    { flags: ['--cluster', 'https://127.0.0.1:1', '--cluster-ca', 'none.pem'], refused: /none\.pem/ },
  ],
  cluster_cert: [
    { flags: ['--cluster-cert', 'c.pem'], refused: /cluster_cert: expected cluster, too/ },
    { flags: ['--cluster', 'https://127.0.0.1:1', '--cluster-cert', 'c.pem'], refused: /a certificate and its key/ },
  ],
  cluster_key: [
    { flags: ['--cluster-key', 'k.pem'], refused: /cluster_key: expected cluster, too/ },
    { flags: ['--cluster', 'https://127.0.0.1:1', '--cluster-key', 'k.pem'], refused: /a certificate and its key/ },
  ],
  cluster_password: [
    { flags: ['--cluster-password', 'p'], refused: /cluster_password: expected cluster, too/ },
    { flags: ['--cluster', 'https://127.0.0.1:1', '--cluster-password', 'p'], refused: /expected a user without/ },
    { flags: ['--cluster', 'https://u@127.0.0.1:1', '--cluster-password', 'none.txt'], refused: /none\.txt/ },
  ],
  cluster_search: [
    { flags: ['--cluster-search', 'lists'], refused: /cluster_search: expected cluster, too/ },
    { flags: ['--cluster-search', 'all'], refused: /expected one of terms, lists/ },
  ],
  host: [
    { flags: ['--host', 'no.such.host.invalid'], refused: /^sosia: .*no\.such\.host\.invalid/m },
    { flags: ['--host', '203.0.113.1'], refused: /^sosia: .*203\.0\.113\.1/m },
    {
      flags: ['--host', '::'],
      observed: async ({ query }) => {
        assert.deepEqual([await statusOf(query, '/ready'), await statusOf(query, '/ready', '[::1]')], [200, 200]);
      },
    },
  ],
  modify_port: [
    { flags: ['--modify-port', '65536'], refused: number(0, 65535) },
    { flags: ['--modify-port', '1e3'], refused: number(0, 65535) },
  ],
  query_port: [{ flags: ['--query-port', '-1'], refused: number(0, 65535) }],
  search_workers: [
    { flags: ['--search-workers', '257'], refused: number(1, 256) },
    {
      flags: ['--search-workers', '24'],
      observed: async (service, folder) => {
        const client = clientOf(service, application(folder));
        await client.add('a', readFileSync(photograph(1)));
        assert.equal((await client.search(readFileSync(photograph(1)))).total, 1);
      },
    },
  ],
  decode_workers: [
    { flags: ['--decode-workers', '257'], refused: number(1, 256) },
    {
      flags: ['--decode-workers', '10'],
      observed: async (service, folder) => {
        const client = clientOf(service, application(folder));
        const [first, ...others] = childrenOf(service);
        assert.deepEqual(others, [], 'they start when they are needed');
        process.kill(first!, 'SIGSTOP');
        const searches = Array.from({ length: 12 }, () => client.search(readFileSync(photograph(1))));
        while (childrenOf(service).length < 10) await pause(50);
        process.kill(first!, 'SIGCONT');
        await Promise.all(searches);
        const idle = async (): Promise<string | undefined> => {
          const metrics = await (await fetch(`http://127.0.0.1:${service.modify}/metrics`)).text();
          return /^sosia_decode_children\{state="idle"\} (.*)$/m.exec(metrics)?.[1];
        };
        for (const end = performance.now() + 20_000; (await idle()) !== '10'; await pause(50))
          assert.ok(performance.now() < end, 'ten children are idle after the searches'); // some may still start then
      },
    },
  ],
  save_index_after: [
    { flags: ['--save-index-after', '1000000001'], refused: number(0, 1_000_000_000) },
    {
      flags: ['--save-index-after', '1'],
      observed: async (service, folder) => {
        await clientOf(service, application(folder)).add('a', readFileSync(photograph(1)));
        const saved = join(services.home, folder, 'index');
        while (!existsSync(saved) || readdirSync(saved).length === 0) await pause(50);
      },
    },
  ],
  add_wait: [
    { flags: ['--add-wait', '241'], refused: number(1, 240) },
    { flags: ['--add-wait', '2', '--search-wait', '1', '--decode-workers', '1'], observed: waits(2, 'add') },
  ],
  search_wait: [
    { flags: ['--search-wait', '600'], refused: number(1, 240) },
    { flags: ['--search-wait', '0'], refused: number(1, 240) },
    // longer than the 35 s after which a silent connection ended
    { flags: ['--search-wait', '37', '--add-wait', '1', '--decode-workers', '1'], observed: waits(37, 'search') },
  ],
  child_user: [
    { flags: ['--child-user', '0'], refused: number(1, 4_294_967_294) },
    {
      flags: ['--child-user', '4294967294'],
      observed: async (service) => {
        const [child] = childrenOf(service);
        const status = readFileSync(`/proc/${child}/status`, 'utf8');
        if (root) assert.match(status, /^Uid:\t4294967294\t4294967294\t/m);
      },
    },
  ],
  stop_grace: [
    { flags: ['--stop-grace', '8001'], refused: number(0, 8000) },
    {
      flags: ['--stop-grace', '8000'],
      observed: async ({ child, query }) => {
        const begin = performance.now();
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        while ((await statusOf(query, '/ready')) !== 503) await pause(20);
        for (; performance.now() - begin < 7000; await pause(200)) assert.equal(await statusOf(query, '/healthz'), 200);
        await ended;
        assert.ok(performance.now() - begin >= 8000);
      },
    },
  ],
  cors_origins: [
    { flags: ['--cors-origins', 'https://shop.example/'], refused: /expected off, \* or origins/ },
    { flags: ['--cors-origins', 'null'], refused: /expected off, \* or origins/ },
    {
      flags: ['--cors-origins', '*'],
      observed: async ({ query }) => {
        const path = `http://127.0.0.1:${query}/api/v2.0/enginequery/json/ListImages`;
        const { headers } = await fetch(path, { headers: { origin: 'https://any.example' } });
        assert.equal(headers.get('access-control-allow-origin'), '*');
      },
    },
  ],
  source_folders: [
    { flags: ['--source-folders', 'pictures'], refused: /expected off or absolute paths/ },
    {
      flags: ['--source-folders', services.home],
      observed: async (service, folder) => {
        const create = creatingSources(service, folder);
        assert.equal(await create({ name: 'a', kind: 'folder', path: '/' }), errorCodes.SOURCE_REFUSED);
        assert.equal(await create({ name: 'a', kind: 'folder', path: services.home }), 0);
      },
    },
  ],
  source_buckets: [
    { flags: ['--source-buckets', 's3'], refused: /expected off, \* or origins/ },
    {
      flags: ['--source-buckets', 'https://s3.example'],
      observed: async (service, folder) => {
        const create = creatingSources(service, folder);
        const bucket = { name: 'a', kind: 'bucket', bucket: 'abc', access_key: 'a', secret_key: 'b', paused: '1' };
        assert.equal(await create({ ...bucket, endpoint: 'https://s3.other' }), errorCodes.SOURCE_REFUSED);
        assert.equal(await create({ ...bucket, endpoint: 'https://s3.example' }), 0);
      },
    },
  ],
  fetch_hosts: [
    { flags: ['--fetch-hosts', 'https://images.example'], refused: /expected off, \* or hosts/ },
    { flags: ['--fetch-hosts', 'images.*'], refused: /expected off, \* or hosts/ },
    { flags: ['--fetch-hosts', 'off'], observed: fetches('FETCHING_OFF') },
    { flags: ['--fetch-hosts', '*'], observed: fetches('ADDRESS_REFUSED') },
  ],
  metrics: [
    { flags: ['--metrics', 'all'], refused: /expected one of modify, query, both, off/ },
    { flags: ['--metrics', 'query'], observed: metricsAt(404, 200) },
    { flags: ['--metrics', 'both'], observed: metricsAt(200, 200) },
    { flags: ['--metrics', 'off'], observed: metricsAt(404, 404) },
  ],
  log_level: [
    { flags: ['--log-level', 'loud'], refused: /expected one of fatal, error/ },
    {
      flags: ['--log-level', 'silent'],
      observed: async (service) => {
        await end(service.child);
        assert.doesNotMatch(await service.err, /^\{/m);
      },
    },
  ],
};

before(() => writeFileSync(join(services.home, 'ca.pem'), ''));

for (const name of settingNames) {
  for (const [i, { flags, refused, observed }] of extremes[name].entries()) {
    test(`${flags.join(' ')} is ${refused ? 'refused with its limit' : 'what the service does'}`, async () => {
      const folder = `${name} ${i}`;
      if (refused) {
        const child = services.spawn('serve', folder, ...flags);
        child.stdout!.once('data', () => child.kill('SIGKILL')); // it is ready, and so ends without a code
        const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
        assert.match(said, refused);
        assert.ok(code === 1 || code === 2, `ended with ${code}: ${said}`);
        return;
      }
      const service = await services.start('serve', folder, ...flags);
      await observed!(service, folder);
      if (service.child.exitCode === null) await end(service.child);
    });
  }
}

test('a demo on a cluster, which would be made in a folder that is not served, is refused', async () => {
  const child = services.spawn('demo', 'demo', '--cluster', 'http://127.0.0.1:1');
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  assert.match(said, /the demo needs a data folder, not a cluster/);
  assert.equal(code, 2);
});

test('an end of a key on a day that the calendar lacks is refused', async () => {
  const key = application('calendar');
  const words = ['key', 'create', key, '--name', 'k', '--scopes', 'search', '--data', join(services.home, 'calendar')];
  const run = (end: string) => execFileSync(process.execPath, [bin, ...words, '--expires', end], { stdio: 'pipe' });
  assert.throws(() => run('2030-02-31'), /expected a date/);
  run('2032-02-29');
});
