import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { networkSpecOf, openNetwork, writeNetwork, type Picture } from '@sosia/engine';
import { onnxFile, type Graph } from '@sosia/engine/classify/onnx-file.test.kit';
import { redOrBlue } from '@sosia/fixtures';
import { errors, Failure } from '../errors.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { OnnxRunner, type OnnxOptions, type Source } from './onnx-runner.ts';
import { storedNetwork } from './stored-network.ts';

/** Tests are in no hurry, on whatever machine. */
const patient = { waitLimit: 600_000, scoreLimit: 600_000, loadLimit: 600_000 };
const networks = new OnnxRunner(patient);
const opened = [networks];
const home = mkdtempSync(join(tmpdir(), 'sosia-networks-'));
after(async () => {
  await Promise.all(opened.map((each) => each.close()));
  rmSync(home, { recursive: true });
});
function started(options: Partial<OnnxOptions> = {}): OnnxRunner {
  const networks = new OnnxRunner({ ...patient, ...options });
  opened.push(networks);
  return networks;
}

const usual = { labels: ['red', 'blue'], positive: ['red'] };
const blockOf = (graph: Graph | Uint8Array, spec: object = {}) => {
  const model = graph instanceof Uint8Array ? graph : onnxFile(graph);
  return writeNetwork({ name: 'red', spec: networkSpecOf({ ...usual, ...spec }), model });
};
type Stored = Source & { readonly folder: string };

/** The network in a data folder of its own. */
const source = (block: Uint8Array, mark = 'red'): Stored => {
  const folder = mkdtempSync(join(home, 'data-'));
  const store = openApplicationStore(folder);
  store.profiles.add({ profile: openNetwork(block), report: null, mistakes: new Uint8Array() });
  const bytes = store.profiles.names()[0]!.bytes!;
  store.close();
  return { folder, name: 'red', mark, bytes, read: () => storedNetwork(folder, 'red') };
};
const flat = (r: number, g: number, b: number): Picture => {
  const rgb = Uint8Array.from({ length: 3 * 40 * 30 }, (_, i) => [r, g, b][i % 3]!);
  return { width: 40, height: 30, rgb, originalWidth: 40, originalHeight: 30 };
};
const named = (error: string, words: RegExp) => (cause: unknown) =>
  cause instanceof Failure && cause.error === error && words.test(cause.message);
/** 2p - 1 for the logits l and -l. */
const expected = (l: number) => 2 / (1 + Math.exp(-2 * l)) - 1;
const near = (actual: number, wanted: number) =>
  assert.ok(Math.abs(actual - wanted) < 1e-5, `${actual}, not ${wanted}`);

test('a network scores what its weights say, again to the bit, and a new child the same', async () => {
  const block = blockOf(redOrBlue());
  const red = await networks.score(source(block), flat(255, 0, 0));
  near(red, expected(4));
  near(await networks.score(source(block), flat(0, 0, 255)), expected(-4));
  near(await networks.score(source(block), flat(153, 51, 102)), expected(0.8));
  assert.equal(await networks.score(source(block), flat(9, 200, 9)), 0);
  assert.equal(await networks.score(source(block), flat(255, 0, 0)), red);
  assert.equal(await started().score(source(block), flat(255, 0, 0)), red);
});

test('mean, std, order of channels, logits, threshold and open sizes count as given', async () => {
  const score = (spec: object, graph = redOrBlue()) =>
    networks.score(source(blockOf(graph, spec), JSON.stringify([spec, graph.inputs])), flat(153, 51, 102));
  near(await score({ channels: 'BGR' }), expected(-0.8));
  near(await score({ mean: [0.5, 0, 0], std: [0.25, 1, 1] }), expected(4 * ((0.6 - 0.5) / 0.25 - 0.4)));
  near(await score({ output: 'logits' }, redOrBlue({ softmax: false })), expected(0.8));
  const p = (1 + expected(0.8)) / 2;
  near(await score({ threshold: 0.9 }), (p - 0.9) / 0.9);
  near(await score({ threshold: 0.2 }), (p - 0.2) / 0.8);
  near(await score({ width: 16, height: 24 }, redOrBlue({ input: ['n', 3, 'h', 'w'] })), expected(0.8));
});

test('a trial returns the size of the picture', async () => {
  const { width, height } = await networks.trial(blockOf(redOrBlue({ input: [1, 3, 24, 40] })));
  assert.deepEqual([width, height], [40, 24]);
});

const red = redOrBlue();
const unusable: [what: string, graph: Graph | Uint8Array, spec: object, words: RegExp][] = [
  ['no model', Uint8Array.from({ length: 400 }, (_, i) => i % 251), {}, /the model cannot be read: .*protobuf/],
  ['a model cut short', onnxFile(red).slice(0, -40), {}, /the model cannot be read/],
  ['an unknown operator', { ...red, nodes: [['Grumble', ['x'], ['y']]] }, {}, /the model cannot be read: .*Grumble/],
  ['open sides', redOrBlue({ input: [1, 3, 'h', 'w'] }), {}, /leaves its width open, got an input of \[1, 3, h, w\]/],
  ['another size', red, { width: 64 }, /expected a width of 64, got an input of \[1, 3, 32, 32\]/],
  ['a side over the bound', redOrBlue({ side: 1500 }), {}, /expected a width of 8 to 1024 pixels/],
  ['one channel', redOrBlue({ input: [1, 1, 32, 32] }), {}, /expected three channels in NCHW|cannot be read/],
  ['channels last', redOrBlue({ input: [1, 32, 32, 3] }), {}, /"layout": "NHWC" may be meant|cannot be read/],
  ['a batch of eight', redOrBlue({ input: [8, 3, 32, 32] }), {}, /takes one picture as NCHW|cannot be read/],
  ['half floats', { ...red, nodes: [['Shape', ['x'], ['y']]], element: 10 }, {}, /tensor of float32|cannot be read/],
  ['two inputs', { ...red, inputs: { ...red.inputs, z: [1] } }, {}, /expected a model with one input, got 2: x, z/],
  [
    'other labels',
    red,
    { labels: ['red', 'green', 'blue'] },
    /expected 3 numbers, one a label, got an output of \[1, 2\]/,
  ],
];

test('a model that does not fit its spec is refused, with the reason', async () => {
  for (const [what, graph, spec, words] of unusable)
    await assert.rejects(networks.trial(blockOf(graph, spec)), named('BAD_PROFILE', words), what);
  const damaged = blockOf(red);
  damaged[60]! ^= 1;
  await assert.rejects(networks.trial(damaged), named('BAD_PROFILE', /its checksum does not fit/));
  near(await networks.score(source(blockOf(red)), flat(255, 0, 0)), expected(4));
});

test('answers that are no probabilities are refused', async () => {
  const weights = { ...red.weights, b: { shape: [2], values: [NaN, 0] } };
  const failed = (words: RegExp) => named('NETWORK_FAILED', words);
  await assert.rejects(networks.trial(blockOf({ ...red, weights })), failed(/expected finite numbers, got NaN/));
  const high = { ...redOrBlue({ softmax: false }), weights: { ...red.weights, b: { shape: [2], values: [7, 7] } } };
  await assert.rejects(networks.trial(blockOf(high)), failed(/expected probabilities, got 7.*may be logits/));
  const open = { ...redOrBlue({ input: ['n', 3, 32, 32] }) };
  await assert.rejects(
    networks.trial(blockOf(open, { labels: ['red', 'blue', 'green'] })),
    failed(/expected 3 numbers, one a label, got 2/),
  );
});

test('without onnxruntime-web there is a code of its own, and the message says what to install', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'sosia-networks-')); // where onnxruntime-web is not found
  try {
    const dist = fileURLToPath(new URL('..', import.meta.url));
    for (const part of ['onnx', 'workers', 'decode', 'store', 'errors.js'])
      cpSync(join(dist, part), join(elsewhere, part), { recursive: true });
    writeFileSync(join(elsewhere, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(elsewhere, 'node_modules', '@sosia'), { recursive: true });
    for (const name of ['@sosia/engine', 'libsql']) {
      const installed = realpathSync(fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)));
      symlinkSync(installed, join(elsewhere, 'node_modules', name), 'junction');
    }
    const there = (await import(pathToFileURL(join(elsewhere, 'onnx', 'onnx-runner.js')).href)) as {
      OnnxRunner: typeof OnnxRunner;
    };
    const networks = new there.OnnxRunner(patient);
    await assert.rejects(networks.trial(blockOf(red)), {
      code: errors.NO_NETWORK_RUNTIME.code,
      message: /npm install -g onnxruntime-web/,
    });
    await networks.close();
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

/** The mean of the picture, spread over `side` x `side` numbers, multiplied by itself again and again. */
const heavy = (side: number, times: number): Graph => ({
  nodes: [
    ['GlobalAveragePool', ['x'], ['means']],
    ['ReduceMean', ['means'], ['mean']],
    ['Reshape', ['mean', 'one'], ['single']],
    ['Expand', ['single', 'shape'], ['m0']],
    ...Array.from({ length: times }, (_, i) => ['MatMul', [`m${i}`, 'm0'], [`m${i + 1}`]] as const),
    ['ReduceMean', [`m${times}`], ['all']],
    ['Reshape', ['all', 'one'], ['y']],
  ],
  lists: { one: [1, 1], shape: [side, side] },
  inputs: { x: [1, 3, 32, 32] },
  outputs: { y: [1, 1] },
});
const single = { labels: ['any'], positive: ['any'] };

test('a network that takes too long is stopped', async () => {
  const networks = started({ loadLimit: 500 });
  await assert.rejects(networks.trial(blockOf(heavy(2048, 60), single)), named('NETWORK_FAILED', /within 500 ms/));
});

test('a network that takes too much memory fails alone', async () => {
  const networks = started();
  await assert.rejects(networks.trial(blockOf(heavy(24_000, 1), single)), named('NETWORK_FAILED', /./));
  near(await networks.score(source(blockOf(red)), flat(255, 0, 0)), expected(4));
});

test('a child that is killed is replaced, and its networks are read again', async () => {
  const networks = started();
  const network = source(blockOf(red));
  await networks.score(network, flat(255, 0, 0));
  const { pid } = networks;
  process.kill(pid!, 'SIGKILL');
  for (;;) {
    const score = await networks.score(network, flat(255, 0, 0)).catch((cause: unknown) => cause as Failure);
    if (score instanceof Failure) assert.equal(score.error, 'NETWORK_FAILED'); // it may be on its way out
    else {
      near(score, expected(4));
      break;
    }
  }
  assert.notEqual(networks.pid, pid);
});

test('networks over what is held are dropped for the wanted one', async () => {
  const block = blockOf(red);
  const [a, b, c] = ['a', 'b', 'c'].map((mark) => source(block, mark)) as [Stored, Stored, Stored];
  const networks = started({ mostHeld: 2 * block.length });
  for (const each of [a, b]) near(await networks.score(each, flat(255, 0, 0)), expected(4));
  for (const { folder } of [a, b]) rmSync(folder, { recursive: true });
  for (const each of [a, b, c, c]) near(await networks.score(each, flat(255, 0, 0)), expected(4)); // a and b from memory
  await assert.rejects(networks.score(a, flat(255, 0, 0)));
  near(await networks.score(c, flat(255, 0, 0)), expected(4));
});

test('applications alternate, and too many are refused', async () => {
  const networks = started({ waiting: 2 });
  const block = blockOf(red);
  const score = (tenant: number) => networks.score(source(block), flat(255, 0, 0), tenant);
  const order: number[] = [];
  const calls = [1, 1, 1, 2].map((tenant) =>
    score(tenant).then(
      () => order.push(tenant),
      (cause: unknown) => (cause as Failure).error,
    ),
  );
  assert.deepEqual((await Promise.all(calls)).filter((each) => each === 'OVERLOADED').length, 1);
  assert.deepEqual(order, [1, 2, 1]);
});
