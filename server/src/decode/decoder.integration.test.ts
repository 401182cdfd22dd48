import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import sharp from 'sharp';
import { Failure } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { measures, missingFrom } from '../workers/confinement/measures.ts';
import { decodePicture } from './decode.ts';
import { Decoder, type DecoderOptions } from './decoder.ts';

const linux = process.platform === 'linux';
const stoppable = process.platform !== 'win32';
const [red, green, blue, white] = (await Promise.all(
  ['red', 'green', 'blue', 'white'].map((background) =>
    sharp({ create: { width: 32, height: 24, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  ),
)) as [Buffer, Buffer, Buffer, Buffer];

const pools: Decoder[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

test('what the pool decodes is what the decoder decodes', async () => {
  const pool = await started();
  assert.deepEqual(await pool.decode(red, 1024), await decodePicture(red, 1024));
  const large = await sharp(red).resize(900, 700).png().toBuffer();
  assert.deepEqual(await pool.decode(large, 300), await decodePicture(large, 300));
});

test('a child decodes every format, though it can open no file', async () => {
  const pool = await started({ children: 1 });
  const folder = new URL('../../../fixtures/formats/', import.meta.url);
  const files = ['four-colours.heic', 'sequence.avif', 'group4.tif'].map((name) => readFileSync(new URL(name, folder)));
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)
    files.push(await sharp(red).toFormat(format).toBuffer());
  for (const file of files) assert.deepEqual(await pool.decode(file, 1024), await decodePicture(file, 1024));
});

test('many pictures at once each get their own answer', async () => {
  const pool = await started({ waiting: 100 });
  const files = Array.from({ length: 60 }, (_, i) => [red, green, blue, white][i % 4]!);
  const expected = await Promise.all([red, green, blue, white].map((file) => decodePicture(file, 1024)));
  const pictures = await Promise.all(files.map((file) => pool.decode(file, 1024)));
  pictures.forEach((picture, i) => assert.deepEqual(picture, expected[i % 4]));
});

test('describing in a child gives the DNA that describing the decoded picture gives', async () => {
  const pool = await started();
  const blocks = Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (i * i * 31) % 251);
  const photo = await sharp(blocks, { raw: { width: 40, height: 30, channels: 3 } })
    .resize(480, 360, { kernel: 'cubic' })
    .jpeg()
    .toBuffer();
  const { describe } = typeDefinitions['media-matching'];
  const picture = await decodePicture(photo, 1024);
  for (const side of ['reference', 'query'] as const) {
    assert.deepEqual(await pool.describe(photo, 'media-matching', side), describe(picture, side));
  }
});

test('what is kept of a picture is the same with its hash, and the hash is that of GetPdq', async () => {
  const pool = await started();
  const photo = readFileSync(new URL('../../../fixtures/samples/kodim05.jpg', import.meta.url));
  for (const width of [600, 1500, 2600]) {
    const file = await sharp(photo).resize(width).jpeg().toBuffer();
    const { pdq, ...kept } = await pool.keep(file, 'media-matching', 0, {}, true);
    assert.deepEqual({ pdq: undefined, ...kept }, await pool.keep(file, 'media-matching'));
    assert.deepEqual(pdq, await pool.pdq(file));
  }
});

test('a picture that holds too little is a failure of its own', async () => {
  const pool = await started();
  await assert.rejects(pool.describe(red, 'media-matching', 'query'), named('NOT_ENOUGH_INFORMATION'));
  await pool.decode(red, 1024); // though it is a picture
});

test('a small picture is refused with the side that the type needs, and is a palette', async () => {
  const pool = await started();
  const small = sharp({ create: { width: 200, height: 7, channels: 3, background: 'teal' } });
  const file = await small.png().toBuffer();
  await assert.rejects(pool.describe(file, 'media-matching', 'query'), /it is 200 x 7 pixels, expected at least 24 /);
  await assert.rejects(pool.keep(file, 'image-similarity'), /it is 200 x 7 pixels, expected at least 8 /);
  await pool.keep(file, 'color-similarity');
  const strip = await small.resize(4000, 90, { fit: 'fill' }).png().toBuffer();
  await assert.rejects(
    pool.keep(strip, 'media-matching'),
    /it is 1024 x 23 pixels after the reduction from 4000 x 90, expected at least 24 /,
  );
});

test('a failure keeps its name and its words on the way', async () => {
  const pool = await started();
  const cut = red.subarray(0, red.length / 2);
  const direct = await decodePicture(cut, 1024).catch((cause: unknown) => cause);
  const through = await pool.decode(cut, 1024).catch((cause: unknown) => cause);
  assert.ok(direct instanceof Failure && through instanceof Failure);
  assert.deepEqual([through.error, through.message], [direct.error, direct.message]);
  assert.equal(through.error, 'DAMAGED_PICTURE');
});

for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const) {
  test(`a child that ends by ${signal} takes its own picture along, nothing else`, async () => {
    const reports: string[] = [];
    const pool = await startedWithTwo({ report: (event) => reports.push(event) });
    const [first, second] = pool.pids as [number, number];
    for (const pid of pool.pids) process.kill(pid, 'SIGSTOP');
    const [one, two, three] = [red, green, blue].map((file) =>
      pool.decode(file, 1024).catch((cause: unknown) => cause),
    );

    process.kill(first, signal);
    process.kill(first, 'SIGCONT');
    const crashed = await Promise.race([one, two]);
    assert.ok(crashed instanceof Failure);
    assert.equal(crashed.error, 'DECODER_CRASHED');
    assert.match(crashed.message, new RegExp(signal));
    process.kill(second, 'SIGCONT');
    const outcomes = [await one, await two, await three];
    assert.equal(outcomes.filter((outcome) => outcome instanceof Failure).length, 1);

    assert.deepEqual(await pool.decode(white, 1024), await decodePicture(white, 1024));
    await until(() => pool.pids.length === 2 && !pool.pids.includes(first));
    assert.deepEqual(reports, [`decode child ${first}: it was ended by ${signal}`]);
  });
}

test('a child that hangs is killed when the time is over, and the next picture is decoded', async () => {
  const pool = await started({ children: 1, timeLimit: 1000 });
  const [pid] = pool.pids as [number];
  process.kill(pid, 'SIGSTOP');
  await assert.rejects(pool.decode(red, 1024), named('DECODE_TIMEOUT'));
  await until(() => !alive(pid));
  let tries = 0; // on a busy machine the first ones may be late too; each is another file, so that none is quarantined
  await until(() => pool.decode(Buffer.concat([green, Buffer.alloc(tries++)]), 1024).then(Boolean, () => false));
});

test('the line is bounded: one more is refused at once, and who waits too long is refused then', async () => {
  const pool = await started({ children: 1, waiting: 2, waitLimit: 200 });
  const [pid] = pool.pids as [number];
  process.kill(pid, 'SIGSTOP');
  const served = pool.decode(red, 1024);
  const waiting = [green, blue].map((file) => pool.decode(file, 1024).catch((cause: unknown) => cause));
  await assert.rejects(pool.decode(white, 1024), named('OVERLOADED', /at most 2 pictures/));
  assert.throws(() => pool.checkRoomFor(0), named('OVERLOADED', /at most 2 pictures/), 'one that is announced, too');
  pool.checkRoomFor(1); // would displace one of tenant 0
  for (const failure of await Promise.all(waiting)) named('OVERLOADED', /within 200 ms/)(failure);

  pool.checkRoomFor(0);
  const next = pool.decode(white, 1024).catch((cause: unknown) => cause); // there is room again
  named('OVERLOADED', /within 200 ms/)(await next);
  process.kill(pid, 'SIGCONT');
  assert.deepEqual(await served, await decodePicture(red, 1024), 'the one in the child is not touched');
  assert.deepEqual(await pool.decode(white, 1024), await decodePicture(white, 1024));
});

test('a file that has stopped two children is refused without decoding', async () => {
  const pool = await started({ children: 1 });
  for (let strike = 0; strike < 2; strike++) {
    const [pid] = pool.pids as [number];
    process.kill(pid, 'SIGSTOP');
    const doomed = pool.decode(red, 1024);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(doomed, named('DECODER_CRASHED'));
    await pool.decode(green, 1024); // so that the next child is there
  }
  const [pid] = pool.pids as [number];
  process.kill(pid, 'SIGSTOP');
  await assert.rejects(pool.decode(Buffer.from(red), 1024), named('QUARANTINED_PICTURE'));
  process.kill(pid, 'SIGCONT');
  await pool.decode(green, 1024);
});

test('a child is replaced after its number of pictures, and when it has grown too large', async () => {
  for (const worn of [{ picturesPerChild: 3 }, { memoryPerChild: 1 }]) {
    const reports: string[] = [];
    const pool = await started({ children: 1, report: (event) => reports.push(event), ...worn });
    const served = [];
    for (let i = 0; i < 7; i++) {
      await pool.decode(red, 1024);
      served.push(pool.pids[0]);
    }
    assert.equal(new Set(served).size, 'picturesPerChild' in worn ? 3 : 7, `served by ${served}`);
    assert.deepEqual(reports, [], 'this is no event');
  }
});

test('close leaves no child, and rejects what waits and what runs', async () => {
  const pool = await startedWithTwo();
  const pids = pool.pids;
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const jobs = [red, green, blue].map((file) => pool.decode(file, 1024).catch((cause: unknown) => cause));
  await pool.close();
  for (const failure of await Promise.all(jobs)) named('SHUTTING_DOWN')(failure);
  assert.deepEqual(pids.filter(alive), []);
  assert.deepEqual(pool.pids.filter(alive), []);
  await assert.rejects(pool.decode(red, 1024), named('SHUTTING_DOWN'));
});

test('applications are served round robin, and the one with most waiting makes room where the queue is full', async () => {
  const pool = await started({ children: 1, waiting: 4, spare: false });
  const blocks = Uint8Array.from({ length: 300 * 200 * 3 }, (_, i) => (i * i * 31) % 251);
  const photo = await sharp(blocks, { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toBuffer();
  const order: string[] = [];
  const describe = (tenant: number, name: string) =>
    pool.describe(photo, 'media-matching', 'query', tenant).then(
      () => void order.push(name),
      (cause: unknown) => {
        named('OVERLOADED', /at most 4/)(cause);
        order.push(`${name} refused`);
      },
    );
  const busy = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => describe(1, name)); // one is taken at once, four wait
  await Promise.all([...busy, ...['b1', 'b2', 'b3'].map((name) => describe(2, name))]);
  assert.deepEqual(order.slice(0, 4).sort(), ['a4 refused', 'a5 refused', 'a6 refused', 'b3 refused']);
  assert.deepEqual(order.slice(4), ['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('a picture of another application does not wait for those being worked on', { skip: !stoppable }, async () => {
  const pool = await started({ children: 1 });
  await pool.decode(red, 1024); // of tenant 0, so that there will be two
  const [first] = pool.pids as [number];
  process.kill(first, 'SIGSTOP'); // so that its picture takes for ever
  const order: string[] = [];
  const describe = (tenant: number, file: Buffer, name: string) =>
    pool.describe(file, 'media-matching', 'query', tenant).catch(() => void order.push(name));
  const long = describe(1, red, 'long');
  const behind = describe(1, green, 'behind it');
  // at once: between two jobs of the spare child the pool would resume the first one
  await Promise.all([describe(2, blue, 'other'), describe(2, white, 'other again')]);
  assert.deepEqual(order, ['other', 'other again']);
  assert.equal(pool.pids.length, 2);
  process.kill(first, 'SIGCONT');
  await Promise.all([long, behind]);
  assert.deepEqual(order.slice(2), ['long', 'behind it']);
});

test('children that are replaced are counted, those worn apart from those lost', async () => {
  const metrics = new Metrics();
  const pool = await started({ children: 1, picturesPerChild: 1, metrics });
  await pool.decode(red, 1024);
  await until(() => pool.pids.length === 1 && metricsSay(/restarts_total\{reason="worn"\} 1\n/));
  await pool.decode(green, 1024);
  await until(() => metricsSay(/restarts_total\{reason="worn"\} 2\n/));
  await until(() => metricsSay(/children\{state="idle"\} 1\n/));
  process.kill(pool.pids[0]!, 'SIGKILL');
  await until(() => metricsSay(/restarts_total\{reason="lost"\} 1\n/));
  assert.ok(await metricsSay(/decode_duration_seconds_count\{work="decode"\} 2\n/));

  async function metricsSay(line: RegExp): Promise<boolean> {
    return line.test(await metrics.text());
  }
});

test('close while a child is being replaced leaves no child', async () => {
  const pool = await started({ children: 1, picturesPerChild: 1 });
  await pool.decode(red, 1024);
  await pool.close();
  assert.deepEqual(pool.pids.filter(alive), []);
});

test('when the server is killed its children end by themselves', async () => {
  const program = `
    import { Decoder } from ${JSON.stringify(new URL('./decoder.js', import.meta.url).href)};
    const pool = await Decoder.start();
    await Promise.all([1, 2].map(() => pool.decode(Buffer.from('${red.toString('base64')}', 'base64'), 16)));
    console.log(JSON.stringify(pool.pids));
    setInterval(() => {}, 1000);`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  const pids: number[] = JSON.parse(line);
  assert.ok(pids.length === 2 && pids.every(alive));
  if (stoppable) process.kill(pids[0]!, 'SIGSTOP'); // as the server does when another picture comes first
  server.kill('SIGKILL');
  await until(() => !pids.some(alive));
});

test('a child sees nothing of the environment, and has its limits', { skip: !linux && 'needs /proc' }, async () => {
  process.env['SOSIA_TEST_SECRET'] = 'not for children';
  const pool = await started({ children: 1 });
  const [pid] = pool.pids;
  const of = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  if (process.getuid!() === 0) {
    assert.doesNotMatch(of('environ'), /SECRET|HOME|USER/);
    assert.match(of('environ'), /VIPS_BLOCK_UNTRUSTED=1/);
  } else {
    assert.throws(() => of('environ'), { code: 'EACCES' });
  }
  assert.match(of('limits'), /Max data size +419430400 +419430400/);
  assert.match(of('limits'), /Max file size +0 +0/);
  assert.equal(of('oom_score_adj').trim(), '500');
});

test(
  'each measure of the confinement is reported, and is a metric',
  { skip: !linux && 'other systems have fewer' },
  async () => {
    const metrics = new Metrics();
    const pool = await startedWithTwo({ metrics });
    assert.deepEqual(missingFrom(pool.confinement), []);
    const status = readFileSync(`/proc/${pool.pids[0]}/status`, 'utf8');
    assert.match(status, /^NoNewPrivs:\t1\n/m);
    assert.match(status, /^Seccomp:\t2\n/m);
    if (process.getuid!() === 0) assert.match(status, /^Uid:\t65534\t65534\t65534\t65534\nGid:\t65534\t/m);
    for (const measure of Object.keys(measures))
      assert.match(await metrics.text(), new RegExp(`sosia_confinement\\{measure="${measure}"\\} 1\n`));
  },
);

test('a pool whose children do not start says so', { skip: !linux && 'the words are those of Linux' }, async () => {
  const { execPath } = process;
  try {
    process.execPath = '/no/such/node';
    await assert.rejects(Decoder.start(), /expected the decode child to start, but it ended with code 127/);
    process.execPath = 'x'.repeat(1_000_000);
    await assert.rejects(Decoder.start(), /expected the decode child to start, but it could not be started: .*E2BIG/);
  } finally {
    process.execPath = execPath;
  }
});

/** With long limits by default, since a busy machine is no fault. */
async function started(options: Partial<DecoderOptions> = {}): Promise<Decoder> {
  const pool = await Decoder.start({ timeLimit: 120_000, waitLimit: 120_000, ...options });
  pools.push(pool);
  return pool;
}

/** The same with a second child, which starts when the first is busy. */
async function startedWithTwo(options: Partial<DecoderOptions> = {}): Promise<Decoder> {
  const metrics = options.metrics ?? new Metrics();
  const pool = await started({ ...options, children: 2, metrics });
  await Promise.all([red, green].map((file) => pool.decode(file, 1024)));
  await until(async () => /children\{state="idle"\} 2\n/.test(await metrics.text()));
  return pool;
}

function named(name: string, words = /./) {
  return (cause: unknown): true => {
    assert.ok(cause instanceof Failure, String(cause));
    assert.equal(cause.error, name);
    assert.match(cause.message, words);
    return true;
  };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    if (await condition()) return;
    await sleep(20);
  }
  assert.fail(`expected within two minutes: ${condition}`);
}
