import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorCodes, SosiaError } from '@sosia/client';
import { Failure } from '@sosia/server';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Metrics } from '@sosia/server/metrics/metrics';
import { startCluster, stopCluster } from '@sosia/testing/cluster/cluster';
import { asAdministrator, authority, certify, secureCluster } from '@sosia/testing/cluster/security';
import { sampleFile, sampleIds } from '@sosia/testing/service/samples';
import { sosia, startService, type Service } from '@sosia/testing/service/service';

// OpenSearch with its security plugin, and a user who has the role of deploy/cluster and nothing else.

const deploy = fileURLToPath(new URL('../../../deploy/cluster/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sosia-rights-'));
const work = mkdtempSync(join(tmpdir(), 'sosia-rights-work-'));
const passwordFile = join(work, 'password');
const ids = sampleIds(4);
const services: Service[] = [];
let host = '';
let matching = '';
let similar = '';

interface Role {
  readonly cluster_permissions: readonly string[];
  readonly index_permissions: readonly { index_patterns: readonly string[]; allowed_actions: readonly string[] }[];
}
const role = JSON.parse(readFileSync(join(deploy, 'role.json'), 'utf8')) as Role;
const rolesText = readFileSync(join(deploy, 'roles.yml'), 'utf8');
const rights = [...role.cluster_permissions, ...role.index_permissions.flatMap((each) => each.allowed_actions)];

const without = (lacking: string): Role => ({
  cluster_permissions: role.cluster_permissions.filter((right) => right !== lacking),
  index_permissions: role.index_permissions.map(({ allowed_actions: actions, ...of }) => ({
    ...of,
    allowed_actions: actions.filter((right) => right !== lacking),
  })),
});

/** Roles of users who are known by certificates, each with the name of its user. */
const others: Readonly<Record<string, Role>> = {
  few: { ...without('indices:data/read/search'), cluster_permissions: [] },
  ...Object.fromEntries(rights.map((right, i): [string, Role] => [`lacking-${i}`, without(right)])),
};

before(async () => {
  const more = Object.entries(others).map(([name, other]) => `${name}: ${JSON.stringify(other)}\n`);
  const users = Object.keys(others).map((name): [string, string[]] => [name, [name]]);
  const mapped = { sosia: ['keeper', 'service'], ...Object.fromEntries(users) };
  secureCluster(folder, rolesText + more.join(''), mapped);
  const [node] = await startCluster(folder, { nodes: 1, javaOptions: ['-XX:TieredStopAtLevel=1'] });
  host = node!.url.replace('https://', '');
  await setPassword('correct-Horse-7');
  [matching, similar] = [create('media-matching'), create('image-similarity')];
  services.push(...(await Promise.all([serve(), serve(byCertificate('service'))])));
});
after(async () => {
  await Promise.all(services.map((service) => service.close()));
  await stopCluster(folder);
  rmSync(work, { recursive: true });
});

/** Reads or changes a rule of the plugin. */
async function rule(method: string, path: string, body?: object): Promise<string> {
  const url = `https://${host}/_plugins/_security/api/${path}`;
  const answer = await asAdministrator(folder, url, method, body);
  assert.ok(answer.ok, `${path}: ${answer.body}`);
  return answer.body;
}

async function setPassword(password: string): Promise<void> {
  await rule('PUT', 'internalusers/keeper', { password });
  writeFileSync(passwordFile, `${password}\n`);
}

async function withRole(t: TestContext, other: Role): Promise<void> {
  await rule('PUT', 'roles/sosia', other);
  t.after(() => rule('PUT', 'roles/sosia', role));
}

const place = (user = 'keeper@') => ['--cluster', `https://${user}${host}`, '--cluster-ca', authority(folder)];
const known = (): string[] => [...place(), '--cluster-password', passwordFile];
const byCertificate = (user: string): string[] => {
  const { certificate, key } = certify(folder, user);
  return [...place(''), '--cluster-cert', certificate, '--cluster-key', key];
};
const serve = (flags = known()): Promise<Service> => startService({ flags: [...flags, '--search-workers', '1'] });

function run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [sosia, ...words], { encoding: 'utf8', cwd: work });
}

function done(...words: string[]): string {
  const { status, stdout, stderr } = run(...words);
  assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function create(type: string): string {
  const out = done('app', 'create', ...known(), '--type', type, '--name', type, '--json');
  return (JSON.parse(out) as { application_key: string }).application_key;
}

test('the two files have the same role, and the page has it in full', async () => {
  const { sosia: found } = JSON.parse(await rule('GET', 'roles/sosia')) as { sosia: Role };
  const [indexes] = found.index_permissions;
  assert.deepEqual(found.cluster_permissions, role.cluster_permissions);
  assert.deepEqual(indexes!.index_patterns, role.index_permissions[0]!.index_patterns);
  assert.deepEqual(indexes!.allowed_actions, role.index_permissions[0]!.allowed_actions);
  const page = readFileSync(join(deploy, '../../docs/cluster.md'), 'utf8');
  assert.ok(page.includes(rolesText.slice(rolesText.indexOf('\nsosia:'))));
});

test('each missing right is named at the start, and no other one', async () => {
  for (const [i, right] of rights.entries()) {
    const { certificate: cert, key } = certify(folder, `lacking-${i}`);
    const address = clusterAddress(`https://${host}`, { ca: authority(folder), cert, key });
    const failure = await ClusteredBackend.start(address, { threads: 1, metrics: new Metrics(), warn: () => {} }).then(
      async (backend) => {
        await backend.close();
        return 'it started';
      },
      (cause: unknown) => (cause instanceof Failure ? cause.message : String(cause)),
    );
    const named = /the user may not (.*);/.exec(failure)?.[1]?.split(', ') ?? [];
    assert.ok(named.length > 0 && named.every((each) => each.replace(/\[.*/, '') === right.replace('*', '')), `${right}: ${failure}`); // prettier-ignore
  }
});

test('the command doctor names all missing rights, and a service ends before it is ready', async () => {
  const few = byCertificate('few');
  const lacking = [...role.cluster_permissions, 'indices:data/read/search'];
  const doctor = run('doctor', ...few, '--modify-port', '0', '--query-port', '0', '--json');
  for (const right of lacking) assert.ok(doctor.stdout.includes(right), right);
  assert.match(doctor.stdout, /deploy\/cluster\/roles\.yml/);
  assert.equal(doctor.status, 1);
  await assert.rejects(serve(few), ({ message }: Error) => lacking.every((right) => message.includes(right)));
});

test('a user with the role runs all of it, with a password or a certificate', async () => {
  for (const key of [matching, similar])
    for (const [i, service] of services.entries()) {
      const client = service.client(key);
      const id = ids[i]!;
      await client.add(id, sampleFile(id), ['red']);
      assert.equal((await client.search(sampleFile(id))).images[0]!.id, id);
      assert.equal((await client.searchById(id)).images[0]!.id, id);
      await client.setKeywords(id, ['blue']);
      assert.equal((await client.searchByKeywords(['blue'])).images.length, i + 1);
    }
  const client = services[0]!.client(matching);
  assert.equal((await client.review.progress()).pictures, 2);
  await client.delete(ids[1]!);
  assert.equal(await client.count(), 1);

  done('app', 'shards', matching, '2', ...known());
  done('verify', ...known());
  done('key', 'create', matching, '--name', 'second', '--scopes', 'search', ...known());
  assert.match(done('audit', ...known()), /second/);
  assert.match(done('doctor', ...known(), '--modify-port', '0', '--query-port', '0', '--json'), /"rights"/);
  const options = ['--cluster-ca', authority(folder), '--cluster-password', passwordFile];
  const address = `https://keeper@${host}`;
  done('move', '--from', address, '--to', join(work, 'data'), ...options);
  done('app', 'delete', similar, '--yes', ...known());
  done('move', '--from', join(work, 'data'), '--to', address, '--app', similar, ...options);
  for (const each of services) assert.doesNotMatch(each.log(), /may not|no permissions|-2701/);
});

test('clients do not see the user, the address or the words of the cluster', async (t) => {
  const [service] = services as [Service];
  await withRole(t, without('indices:data/read/search'));
  const failure = await service
    .client(matching)
    .search(sampleFile(ids[0]!))
    .catch((cause: unknown) => cause);
  assert.ok(failure instanceof SosiaError);
  assert.equal(failure.code, errorCodes.CLUSTER_DENIED);
  for (const secret of ['keeper', 'indices:', 'permissions', host.split(':')[1]!])
    assert.ok(!failure.message.includes(secret), failure.message);
  assert.match(service.log(), /no permissions for \[indices:data\/read\/search\]/);
});

test('a new password counts without a restart, from its file', async () => {
  const [service] = services as [Service];
  await setPassword('another-Horse-8');
  const client = service.client(matching);
  await Promise.all(ids.slice(2).map((id) => client.add(id, sampleFile(id))));
  assert.equal((await client.search(sampleFile(ids[2]!))).images[0]!.id, ids[2]);
  assert.equal((await fetch(`${service.query}/ready`)).status, 200);
});
