import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { errorCodes } from '@sosia/client';
import { editedFolder } from '@sosia/fixtures';
import { nodeVersion } from './node-versions.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-packages-'));
const children: ChildProcess[] = [];
let tarballs: string[];
const unpacked = (tarball: string): string => `${tarball}.files`;
before(() => {
  const packed = execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), join(home, 'packed')]);
  tarballs = String(packed).trim().split('\n');
  for (const path of tarballs) {
    mkdirSync(unpacked(path));
    execFileSync('tar', ['xzf', path, '-C', unpacked(path), '--strip-components=1']);
  }
});
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, maxRetries: 20 });
});

const json = (path: string): any => JSON.parse(readFileSync(path, 'utf8'));

/** All files below a folder. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('publint finds nothing in the packages', async () => {
  assert.equal(tarballs.length, 3);
  for (const path of tarballs) {
    const bytes = readFileSync(path);
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(
      messages.map((each) => formatMessage(each, pkg)),
      [],
    );
  }
});

test('a package has a licence, a README and the version, and nothing left of the build', () => {
  const { version, engines } = json(join(root, 'package.json'));
  for (const path of tarballs) {
    const manifest = json(join(unpacked(path), 'package.json'));
    assert.deepEqual([manifest.version, manifest.engines], [version, engines]);
    const files = filesIn(unpacked(path));
    for (const name of ['LICENSE', 'README.md']) assert.ok(files.includes(join(unpacked(path), name)), name);
    assert.deepEqual(
      files.filter((file) => /\.map$|\.tsbuildinfo$|\.test\.|\.kit\.|(?<!\.d)\.tsx?$|\.wasm$/.test(file)),
      [],
    );
    for (const file of files.filter((each) => /\.(m?js|cjs|json|md|ts)$/.test(each))) {
      const text = readFileSync(file, 'utf8');
      assert.ok(!text.includes(root) && !text.includes('sourceMappingURL='), file);
    }
  }
});

test('the dependencies of a package are those of the manifests that it was made of', () => {
  const [server, ...others] = tarballs.map((path) => json(join(unpacked(path), 'package.json')));
  for (const { dependencies } of others) assert.equal(dependencies, undefined);
  const { dependencies } = json(join(root, 'server/package.json'));
  assert.deepEqual(server.dependencies, { libsql: dependencies.libsql, sharp: dependencies.sharp });
});

test('the changelog begins with the version of the packages', () => {
  const { version } = json(join(root, 'package.json'));
  const [, first] = /^## (\S+) \((?:unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  )!;
  assert.equal(first, version);
});

const lowest = /[\d.]+/.exec(json(join(root, 'package.json')).engines.node)![0];
for (const tag of [lowest, 'latest']) {
  test(`installed from the tarballs on Node ${tag}: a first match, the SDK, types`, async (context) => {
    const version = nodeVersion(tag);
    if (!version) return context.skip(`there is no Node ${tag} from npm here`);
    const folder = join(home, `node-${tag}`);
    mkdirSync(folder);
    const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
    const env = { PATH: `${version.folder}${delimiter}${process.env['PATH']}`, HOME, NODE_EXTRA_CA_CERTS };
    const run = async (command: string, ...words: string[]) =>
      await promisify(execFile)(command, words, {
        cwd: folder,
        env,
        encoding: 'utf8',
        maxBuffer: 2 ** 24,
        timeout: 180_000,
      });

    const { stdout, stderr } = await run('npm', 'install', '--prefer-offline', ...tarballs);
    const warnings = stderr.split('\n').filter((line) => line !== '' && !/Unknown (user|env) config/.test(line));
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(stdout, /warn|deprecated/);

    const bytes = filesIn(join(folder, 'node_modules'))
      .filter((file) => !/node_modules\/(@img|sharp|@libsql|libsql|@sosia\/engine)\//.test(file))
      .reduce((sum, file) => sum + lstatSync(file).blocks * 512, 0);
    assert.ok(bytes < 15_000_000, `${bytes} bytes beside sharp, the database and the engine for browsers`);

    const demo = spawn('npx', ['sosia-server', 'demo', '--modify-port', '0', '--query-port', '0'], {
      cwd: folder,
      env,
      detached: true, // npx and the service are one group
    });
    children.push(demo);
    const ended = once(demo, 'exit');
    let said = '';
    demo.stderr.on('data', (bytes: Buffer) => (said += String(bytes)));
    // its last words may come after its end
    const early = once(demo, 'close').then(() => assert.fail(`the service ended before it was stopped: ${said}`));
    const lines = createInterface(demo.stdout);
    const [line] = (await Promise.race([once(lines, 'line'), early])) as [string];
    const { modify, query } = JSON.parse(line);
    const key = readFileSync(join(folder, 'data/demo.key'), 'utf8').trim();
    const connection = {
      SOSIA_KEY: key,
      SOSIA_MODIFY_URL: `http://127.0.0.1:${modify}`,
      SOSIA_QUERY_URL: `http://127.0.0.1:${query}`,
    };
    Object.assign(env, connection);

    const picture = join(editedFolder, 'kodim23-rotated.jpg');
    assert.match((await run('npx', 'sosia', 'search', picture)).stdout, /kodim23\.jpg/);
    const example = join(folder, 'node_modules/@sosia/client/examples/find-copies.mjs');
    assert.match((await run('node', example, picture)).stdout, /^1 found\nkodim23\.jpg 0\.\d+ Match\n$/);
    for (const path of ['/docs', '/openapi.json'])
      assert.equal((await fetch(`http://127.0.0.1:${query}${path}`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${modify}/console/`)).status, 200);

    const [, secret] = /administrator's key[^]*?\n {2}(\w+)\n/.exec(said)!;
    const [, page] = /Sign in with it at (\S+) /.exec(said)!;
    const [, another, revoke] = /\n {2}(npx .* admin key .*)\n {2}(npx .* admin revoke .*)\n/.exec(said)!;
    const signIn = async (administrator: string): Promise<number> => {
      const body = new URLSearchParams({ application_key: administrator });
      const headers = { origin: new URL(page!).origin };
      const answer = await fetch(`${page}api/sign-in`, { method: 'POST', headers, body });
      return ((await answer.json()) as { status: { code: number } }).status.code;
    };
    assert.equal(await signIn(secret!), 0);
    const replacement = (await run('sh', '-c', another!)).stdout.trim();
    await run('sh', '-c', revoke!);
    assert.deepEqual([await signIn(replacement), await signIn(secret!)], [0, errorCodes.UNKNOWN_APPLICATION]);

    if (process.platform === 'linux') {
      const measures = await (await fetch(`http://127.0.0.1:${modify}/metrics`)).text();
      const values = [...measures.matchAll(/^sosia_confinement\{measure="(\w+)"\} (\d)/gm)].map(([, name, on]) => [
        name,
        on,
      ]);
      assert.ok(values.length >= 5, measures.slice(0, 500));
      for (const [name, on] of values) assert.equal(on, '1', name);
    }

    const [server, client, engine] = tarballs.map((path) => json(join(unpacked(path), 'package.json')).name);
    writeFileSync(
      join(folder, 'types.ts'),
      `import { run } from ${JSON.stringify(server)};
import { Sosia, type Image } from ${JSON.stringify(client)};
import { Engine } from ${JSON.stringify(engine)};
export const code: Promise<0 | 1 | 2> = run(['status']);
export const images: Promise<readonly Image[]> = new Sosia({ modify: '', query: '', key: '' })
  .searchById('a')
  .then(({ images }) => images);
export const score: Promise<number | undefined> = new Engine()
  .match(new Blob([]), new Uint8Array(1), 'media-matching')
  .then((match) => match?.score);
`,
    );
    cpSync(join(root, 'node_modules/@types'), join(folder, 'types'), { recursive: true });
    const compiler = [
      ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', 'false'],
      ...['--types', ''],
    ];
    await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...compiler, 'types.ts');

    process.kill(-demo.pid!, 'SIGINT');
    early.catch(() => {});
    await ended;
  });
}
