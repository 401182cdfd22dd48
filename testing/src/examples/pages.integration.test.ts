import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { addressesIn, commandsIn, expressionsIn } from './commands.ts';
import { canIsolate, Shell, type Background, type Ended } from './shell.ts';

/** The commands of these pages run as printed, in order, with the command `sosia` as the README installs it. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Commands that no test can run, or that run elsewhere, by the page, with the reason. */
const notRun: Record<string, Record<string, string>> = {
  'README.md': {
    'npm test                                                        # all tests': 'this test is part of it',
    'npm run benchmark -- peers': 'installs packages of Python and takes minutes',
  },
  'docs/operating.md': {
    'useradd --system sosia': 'changes the users of the machine',
    'git clone … /opt/sosia && cd /opt/sosia && npm ci && npm run build':
      'the address is left out; .ci/run has the rest',
    'cp deploy/sosia.service /etc/systemd/system/': 'changes the machine; the unit is verified below',
    'systemctl enable --now sosia': 'needs systemd as the first process; the unit is verified below',
    'journalctl -u sosia -o cat -f': 'needs systemd as the first process',
    'podman build -f deploy/Containerfile -t sosia .': 'the system test `container` runs the steps of the file',
    'podman run -d --name sosia -v sosia:/data -p 127.0.0.1:7789:7789 -p 8080:8080 sosia':
      'the system test `container`',
    'podman exec sosia sosia app create --type media-matching --name mine': 'the system test `container`',
    'systemctl stop sosia': 'the test stops the service in its place',
    'systemctl start sosia': 'the test starts the service in its place',
    'npm ci': 'prepares every test',
    'npm run build': 'prepares every test',
  },
};

let home: string;
let shell: Shell;
let elsewhere: Record<string, string> = {};
const clone = canIsolate ? '/mnt/clone' : root;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'sosia-pages-'));
  mkdirSync(join(home, 'Pictures', 'harbour'), { recursive: true });
  for (const n of ['01', '05', '23'])
    copyFileSync(join(samplesFolder, `kodim${n}.jpg`), join(home, 'Pictures', 'harbour', `kodim${n}.jpg`));
  const prefix = join(home, 'prefix');
  const environment: NodeJS.ProcessEnv = {
    PATH: [join(prefix, 'bin'), process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    ...(process.env['NODE_EXTRA_CA_CERTS'] && { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
  };
  if (!canIsolate) {
    const [modify, query] = [await freePort(), await freePort()];
    elsewhere = {
      '127.0.0.1:7789': `127.0.0.1:${modify}`,
      '127.0.0.1:8080': `127.0.0.1:${query}`,
      '/var/lib/': `${home}/`,
      '/mnt/': `${home}/`,
    };
    Object.assign(environment, {
      SOSIA_MODIFY_PORT: String(modify),
      SOSIA_QUERY_PORT: String(query),
      SOSIA_MODIFY_URL: `http://127.0.0.1:${modify}`,
      SOSIA_QUERY_URL: `http://127.0.0.1:${query}`,
    });
  }
  const changed = (line: string): string =>
    Object.entries(elsewhere).reduce((text, [from, to]) => text.replaceAll(from, to), line);
  shell = new Shell(join(home, 'outputs'), environment, changed);
  if (canIsolate) {
    const overlay = `mount -t overlay overlay -o lowerdir=${root},upperdir=/mnt/upper,workdir=/mnt/work ${clone}`;
    await done(`mkdir /mnt/upper /mnt/work ${clone} && ${overlay}`);
    await done(`touch ${clone}/node_modules/.package-lock.json`);
    await done(`rm -rf ${clone}/data`); // of a demo that ran in this folder; it stays below the overlay
  }
  await done(`cd ${clone}`);
  // these two need the network, so they run before all others
  for (const line of ['npm run pack', 'npm install -g out/packages/sosia-server-*.tgz'])
    for (const page of ['README.md', 'docs/quick-start.md'])
      assert.ok(commandsIn(textOf(page)).some((each) => each.line.startsWith(line)) && installed.add(line), page);
  for (const line of installed) await done(line);
  shell.leaveNetwork();
  await done(`export HOME=${home}`);
});
const installed = new Set<string>();
afterEach(() => shell.stopAll());
after(async () => {
  await shell.close();
  rmSync(home, { recursive: true, maxRetries: 20 });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function done(line: string): Promise<Ended> {
  const ended = await shell.run(line);
  assert.equal(ended.code, 0, `${line}\n${ended.out}${ended.err}`);
  return ended;
}

interface Run {
  /** What stands for KEY in a line. */
  key(line: string): string | undefined;
  /** Runs in the place of the page's command, if it returns something. */
  instead?(line: string): Promise<Ended | undefined>;
  readonly onlyBlocks?: boolean;
}

/** Runs all commands of a page. @returns what each of them printed */
async function runPage(page: string, { key, instead, onlyBlocks }: Run): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  const unused = new Set(Object.keys(notRun[page] ?? {}));
  for (const { line, inline } of commandsIn(textOf(page))) {
    const text = inline ? line : line.replace(/\s+#.*$/, '');
    if (unused.delete(line) || notRun[page]?.[line] || [...installed].some((each) => text === each)) continue;
    if (inline && (onlyBlocks || /^(?:sosia|npx sosia)(?: [a-z]+){0,2}$/.test(line) || line.includes('…'))) {
      const command = line.replace(/^npx /, '').replace(/ ….*/, '');
      await done(`${command} --help`); // the sentence names the command alone
      continue;
    }
    const ended = (await instead?.(text)) ?? (await done(text.replace(/\bKEY\b/g, () => key(text) ?? 'KEY')));
    outputs.set(text, ended.out);
  }
  assert.deepEqual([...unused], [], 'listed, and not in the page');
  return outputs;
}

/** Each page has a folder of its own, with these pictures. */
async function folderOf(name: string): Promise<void> {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const each of ['photo', 'photo-of-it', 'new', 'found', 'after'])
    copyFileSync(join(editedFolder, 'kodim05-cropped.jpg'), join(folder, `${each}.jpg`));
  for (const each of ['poster', 'old', 'before'])
    copyFileSync(join(samplesFolder, 'kodim05.jpg'), join(folder, `${each}.jpg`));
  copyFileSync(join(samplesFolder, 'kodim03.jpg'), join(folder, 'logo.png'));
  writeFileSync(join(folder, 'list.csv'), 'image_id,path\nposters/harbour,logo.png\n');
  await done(`cd ${folder}`);
}

const ready = /"ready":true/;
const keyIn = (text: string | undefined): string | undefined => /\b[A-Za-z0-9]{32}\b/.exec(text ?? '')?.[0];

async function addressesAnswer(page: string): Promise<void> {
  for (const address of addressesIn(textOf(page))) {
    const whole = address.startsWith('/') ? ['http://127.0.0.1:8080', 'http://127.0.0.1:7789'] : [''];
    const answers = [];
    for (const origin of whole) {
      const line = `curl -sL -o /dev/null -w '%{http_code}' ${origin}${address}`;
      answers.push((await done(line)).out);
    }
    assert.ok(answers.includes('200'), `${page}: ${address} answers ${answers.join(' and ')}`);
  }
}

const served = (text: string): Ended => ({ code: 0, out: text, err: '' });

/** The demo of a clone, and the commands that it prints. */
async function demoOfClone(): Promise<Ended> {
  await done(`cd ${clone}`);
  if (!canIsolate) await done(`export SOSIA_DATA=${join(home, 'demo')}`);
  const demo = await shell.start('npm start', ready);
  const text = demo.text();
  assert.match(text, /kodim\d\d\.jpg/, text);
  const commands = text.match(/^ {2}(?:npx sosia search|curl) (?:.*\\\n)?.*$/gm) ?? [];
  assert.equal(commands.length, 2, text);
  for (const command of commands) assert.match((await done(command)).out, /kodim\d\d\.jpg/, command);
  assert.equal(await demo.stop(), 130, 'npm, when it is interrupted');
  await done('unset SOSIA_DATA');
  return served(text);
}

test('the README', async () => {
  const page = 'README.md';
  await folderOf('readme');
  let service: Background | undefined;
  let key: string | undefined;
  const outputs = await runPage(page, {
    key: () => key,
    async instead(line) {
      if (line === 'npm start') {
        const ended = await demoOfClone();
        await done(`cd ${join(home, 'readme')}`);
        service = await shell.start('sosia serve', ready);
        return ended;
      }
      if (!line.startsWith('sosia app create')) return undefined;
      const ended = await done(line);
      key = keyIn(ended.out);
      return ended;
    },
  });
  const [, printed] = /^```json\n([^]*?)^```/m.exec(textOf(page))!;
  const [, answer] = [...outputs].find(([line]) => line.startsWith('curl'))!;
  const same = (text: string): unknown =>
    JSON.parse(text, (name, value: unknown) => (['result_info', 'score'].includes(name) ? typeof value : value));
  assert.deepEqual(same(answer), same(printed!));
  assert.match(outputs.get('sosia search photo-of-it.jpg --app KEY')!, /poster\.jpg/);
  await addressesAnswer(page);
  assert.equal(await service!.stop(), 0);
});

test('the quick start', async () => {
  const page = 'docs/quick-start.md';
  await folderOf('quick');
  let service: Background | undefined;
  let key: string | undefined;
  const outputs = await runPage(page, {
    key: () => key,
    async instead(line) {
      if (line === 'npm start') {
        const ended = await demoOfClone();
        await done(`cd ${join(home, 'quick')}`);
        return ended;
      }
      if (line === 'sosia serve') {
        service = await shell.start(line, ready);
        return served(service.text());
      }
      if (!line.startsWith('sosia app create')) return undefined;
      const ended = await done(line);
      key = keyIn(ended.out);
      return ended;
    },
  });
  assert.match(outputs.get('sosia search photo.jpg')!, /harbour\/kodim05\.jpg/);
  for (const [line, out] of outputs) if (line.startsWith('curl')) assert.match(out, /"code":0,/, line);
  await addressesAnswer(page);
  assert.equal(await service!.stop(), 0);
});

for (const page of ['docs/add.md', 'docs/search.md', 'docs/ignoring.md', 'docs/fine-comparison.md']) {
  test(page, async () => {
    const name = /(\w[\w-]*)\.md/.exec(page)![1]!;
    await folderOf(name);
    const apart = keyIn((await done('sosia app create --type media-matching --name apart --data /var/lib/sosia')).out);
    const service = await shell.start('sosia serve', ready);
    const create = async (type: string): Promise<string> =>
      keyIn((await done(`sosia app create --type ${type} --name ${type}`)).out)!;
    const key = await create('media-matching');
    const colours = await create('color-similarity');
    const other = await create('mobile-matching');
    await done(`export SOSIA_KEY=${key}`);
    if (page !== 'docs/add.md') await done(`sosia add poster.jpg --id posters/harbour --keywords poster 2026`);
    if (page !== 'docs/add.md') await done(`sosia add poster.jpg --id harbour.jpg`);
    const outputs = await runPage(page, {
      key: (line) => (line.includes('--colors') ? colours : line.includes('/var/lib/') ? apart : key),
      instead: async (line) => (line.includes('OTHERKEY') ? await done(line.replace('OTHERKEY', other)) : undefined),
      onlyBlocks: page === 'docs/ignoring.md',
    });
    for (const [line, out] of outputs) if (line.startsWith('curl')) assert.match(out, /"code":(?:0|-2801),/, line);
    await done('unset SOSIA_KEY');
    assert.equal(await service.stop(), 0);
    await done('rm -rf /var/lib/sosia');
  });
}

test('operating', async () => {
  const page = 'docs/operating.md';
  await folderOf('operating');
  let service: Background;
  let key: string | undefined;
  const serve = 'sosia serve --data /var/lib/sosia --log-level info';
  const outputs = await runPage(page, {
    key: () => key,
    async instead(line) {
      if (line !== serve) {
        if (line.startsWith('sosia key create NAME')) return await done(line.replace('NAME', 'posters'));
        if (/^chmod .* FOLDER$/.test(line)) return await done(line.replace('FOLDER', '/var/lib/sosia'));
        if (line.startsWith('sosia repair')) {
          assert.equal(await service.stop(), 0); // the line before, `systemctl stop`
          await damage('/var/lib/sosia/images.db');
          const ended = await shell.run(line);
          assert.equal(ended.code, 1, 'something was damaged');
          return ended;
        }
        return undefined;
      }
      service = await shell.start(line, ready);
      key = keyIn((await done('sosia app create --type media-matching --name posters --data /var/lib/sosia')).out);
      await done(`sosia import ~/Pictures --app ${key}`);
      return served(service.text());
    },
  });
  assert.match(outputs.get('curl http://127.0.0.1:8080/readyz')!, /"code":0,/);
  service = await shell.start(serve, ready); // the line after, `systemctl start`
  assert.match((await done(`sosia status --app ${key}`)).out, /^pictures +[23]$/m);
  await addressesAnswer(page);
  await alarmsHold(page);
  assert.equal(await service.stop(), 0);
  if (spawnSync('systemd-analyze', ['--version']).status === 0) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/sosia.service')]);
    const faults = String(stderr)
      .split('\n')
      .filter((line) => line.includes('sosia.service') && !/is not executable/.test(line));
    assert.deepEqual(faults, [], `ended with ${status}`);
  }
});

/** Changes one byte of a record, which is a picture or its thumbnail. */
async function damage(path: string): Promise<void> {
  const change = 'bytes[bytes.length - 6000] ^= 1';
  await done(`node -e "const bytes = fs.readFileSync('${path}'); ${change}; fs.writeFileSync('${path}', bytes)"`);
}

/** Each expression names metrics and labels of the running service, which has none of the troubles. */
async function alarmsHold(page: string): Promise<void> {
  const { out } = await done('curl -s http://127.0.0.1:7789/metrics');
  const expressions = expressionsIn(textOf(page));
  assert.ok(expressions.length >= 7);
  for (const expression of expressions) {
    const [, name, labels] = /(sosia_\w+)(?:\{([^}]*)\})?/.exec(expression)!;
    const samples = out.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    assert.ok(samples.length > 0, `${expression}: no sample of ${name}`);
    const matching = labels ? samples.filter((line) => line.includes(labels)) : samples;
    // increase() and rate() see no change in a series that begins with its first event
    assert.ok(matching.length > 0, `${expression}: no sample of ${name} has ${labels} before the first event`);
    const threshold = /^sosia_\w+ (==|>) (\d+)$/.exec(expression);
    if (!threshold) continue;
    const [, operator, number] = threshold;
    const fires = matching.some((line) => {
      const value = Number(line.split(' ').at(-1));
      return operator === '>' ? value > Number(number) : value === Number(number);
    });
    assert.ok(!fires, `${expression} fires: ${matching.join()}`);
  }
}

/** Examples of `--help` that run elsewhere, with the reason. All others run, in the order of docs/cli.md. */
const helpElsewhere: readonly (readonly [RegExp, string])[] = [
  [/^sosia (?:serve|demo)\b|sosia serve/, 'the pages above start them, and /etc has no settings'],
  [/--cluster |^sosia move /, 'need a cluster: testing/src/cluster/commands.integration.test.ts'],
  [/model\.onnx/, 'needs a model: the tests of sosia profile have one'],
  [/(?:pictures|images)\.example/, 'the address is an example'],
  [/^sosia source /, 'need a folder that the service may follow: cli/src/commands/source.integration.test.ts'],
  [/ --follow/, 'does not end: cli/src/commands/events.integration.test.ts'],
  [/0123456789abcdef|00000001/, 'the groups are examples: the review has tests of its own'],
  [/completion (?:zsh|fish|bash >)/, 'write into the settings of a shell; that of bash is read'],
];

test('the examples of the help', async () => {
  const page = 'docs/cli.md';
  await folderOf('help');
  await done('rm -rf /mnt/backup /var/lib/sosia /var/lib/sosia-*'); // of the test before
  await done('mkdir pictures receipts others && cp ~/Pictures/harbour/* pictures && cp photo.jpg scan.png');
  await done(`cp ${samplesFolder}/kodim0*.jpg receipts && cp ${samplesFolder}/kodim10.jpg receipts`);
  await done(`cp ${samplesFolder}/kodim1[1-9].jpg ${samplesFolder}/kodim2*.jpg others; echo nobody > old.txt`);
  await done("printf 'image_id,path\\na1,poster.jpg\\n' > list.csv");
  await done("printf 'id,hash\\nk1,%064d\\n' 1 > known.csv");
  for (const folder of ['./data', '/var/lib/sosia'])
    await done(`sosia app create --type media-matching --name first --data ${folder}`);
  const serve = 'sosia serve --fetch-hosts example.org';
  let service = await shell.start(serve, ready);
  const create = async (name: string, type = 'media-matching'): Promise<string> =>
    keyIn((await done(`sosia app create --type ${type} --name ${name}`)).out)!;
  const [palette, filter, other] = [
    await create('palette', 'color-similarity'),
    await create('my-filter', 'filter'),
    await create('other'),
  ];
  await done(`sosia add photo.jpg --app ${palette}`);
  let key: string | undefined;
  /** The application of the examples, as long as none of them has deleted it. */
  const posters = async (): Promise<void> => {
    key = await create('posters');
    for (const [file, id] of [
      ['poster.jpg', 'harbour.jpg'],
      ['logo.png', 'bridge.jpg'],
      ['poster.jpg', 'posters/harbour.jpg'],
    ])
      await done(`sosia add ${file} --id ${id} --app ${key}`);
  };
  await posters();
  let ran = 0;
  const unused = new Set(helpElsewhere);
  for (const { line, inline } of commandsIn(textOf(page))) {
    if (inline) continue;
    const left = helpElsewhere.filter(([pattern]) => pattern.test(line));
    for (const each of left) unused.delete(each);
    if (left.length > 0) continue;
    const own = /--colors|^sosia palette/.test(line) ? palette : /^sosia classify/.test(line) ? filter : key;
    const text = line.replaceAll('OTHERKEY', other).replace(/\bKEY\b/g, () => own!);
    if (/^sosia app create .* posters$/.test(line)) await done('sosia app delete posters --yes');
    if (line === 'sosia profile import receipts.profile') await done('sosia profile delete receipts');
    if (line.startsWith('sosia profile use')) await done('sosia profile import receipts.profile');
    if (line === 'sosia verify /mnt/backup/monday') await done('sosia backup /mnt/backup/monday');
    if (line === 'sosia backup /mnt/backup/monday') await done('rm -r /mnt/backup/monday');
    const alone = /^sosia (?:restore|repair|doctor --data)|^sosia add .*--data/.test(line);
    if (alone) assert.equal(await service.stop(), 0);
    if (line.startsWith('sosia restore')) await done(`rm -r ${/--data (\S+)/.exec(line)?.[1] ?? './data'}`);
    const { code, out, err } = await shell.run(text);
    const faults = /^sosia doctor/.test(line) ? [0, 1] : [0]; // a doctor without a service says so
    assert.ok(faults.includes(code), `${line}\n${out}${err}`);
    ran++;
    if (/^sosia app create .* posters$/.test(line)) key = keyIn(out);
    if (/^sosia app delete/.test(line)) await posters();
    // keeping one of each group removes the others
    if (line.startsWith('sosia review judge')) await shell.run(`sosia add poster.jpg --id harbour.jpg --app ${key}`);
    if (line.startsWith('sosia review judge')) await shell.run(`sosia add logo.png --id bridge.jpg --app ${key}`);
    if (alone) service = await shell.start(serve, ready);
  }
  assert.ok(ran > 70, `only ${ran} examples`);
  assert.deepEqual([...unused], []);
  assert.equal(await service.stop(), 0);
});
