import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openNetwork } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';
import { decodePicture } from '@sosia/server/decode';
import * as ort from 'onnxruntime-web';
import { readModel } from './package.ts';
import { smallModel } from './small-model.test.kit.ts';
import { toOnnx } from './to-onnx.ts';

const convert = fileURLToPath(new URL('./profiles.js', import.meta.url));
const bin = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-nsfwjs-'));
after(() => rmSync(home, { recursive: true }));

function run(...words: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', cwd: home, env });
  return { code: status, out: stdout, err: stderr };
}

const sosia = (...words: string[]) => run(bin, ...words);

/** A package with the entry of nsfwjs that the program reads, and the small model in it. */
function installSmallModel(exports: Readonly<Record<string, string>>): void {
  const { model, bytes } = smallModel();
  const folder = join(home, 'node_modules', 'nsfwjs');
  mkdirSync(folder, { recursive: true });
  const entry = { name: 'nsfwjs', version: '4.3.0', exports };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(entry));
  const weights = JSON.stringify(Buffer.from(bytes).toString('base64'));
  writeFileSync(
    join(folder, 'entry.js'),
    `exports.MobileNetV2Model = {
      modelJson: async () => ({ default: ${JSON.stringify(model)} }),
      weightBundles: [async () => ({ default: ${weights} })],
    };`,
  );
}

test(
  'the profiles of nsfwjs are written, and sosia imports them',
  { skip: installed('nsfwjs') ? 'nsfwjs is installed' : false },
  () => {
    assert.match(run(convert, '.').err, /the package nsfwjs is not installed; npm install /);
    installSmallModel({});
    assert.match(run(convert, '.').err, /expected nsfwjs 4\.3 or a later 4/);
    installSmallModel({ './models/mobilenet_v2': './entry.js' });
    assert.match(run(convert).err, /name the folder/);
    assert.deepEqual(run(convert, '.'), {
      code: 0,
      out: 'adult.profile\nporn.profile\nhentai.profile\nsexy.profile\n',
      err: '',
    });
    assert.deepEqual(openNetwork(readFileSync(join(home, 'porn.profile'))).spec.positive, ['Porn']);

    assert.equal(sosia('app', 'create', '--type', 'filter', '--name', 'uploads').code, 0);
    assert.match(sosia('profile', `import`, 'nsfwjs').err, /The script training\/src\/nsfwjs\/profiles\.ts/);
    const { code, out, err } = sosia('profile', `import`, 'adult.profile');
    assert.equal(code, 0, err);
    assert.match(
      out,
      /adult: a network, 0\.0 MB, 9 x 9 pixels, without a report\nfits where Hentai or Porn of Drawing, /,
    );
    assert.match(sosia('profile', `import`, 'adult.profile').err, /the profile adult exists already/);
  },
);

const missing = ['nsfwjs', '@tensorflow/tfjs'].filter((name) => !installed(name)).join(' and ');

test(
  'the model of nsfwjs scores the sample photographs as TensorFlow.js does',
  {
    skip: missing ? `${missing} not installed; npm install --no-save nsfwjs@4.3 @tensorflow/tfjs@4` : false,
  },
  async () => {
    interface Answer {
      data(): Promise<Float32Array>;
    }
    const load = createRequire(import.meta.url);
    const tf = load('@tensorflow/tfjs') as { tensor3d(values: Int32Array, shape: number[]): unknown };
    const { load: open } = load('nsfwjs/core') as {
      load(name: string, options: object): Promise<{ infer(picture: unknown): Answer }>;
    };
    const { MobileNetV2Model } = load('nsfwjs/models/mobilenet_v2') as { MobileNetV2Model: object };
    const theirs = await open('MobileNetV2', { modelDefinitions: [MobileNetV2Model] });
    const { model: layers, weights } = await readModel();
    ort.env.wasm.numThreads = 1;
    const ours = await ort.InferenceSession.create(toOnnx(layers, weights), { executionProviders: ['wasm'] });

    const side = 224;
    for (const name of readdirSync(samplesFolder).filter((file) => file.endsWith('.jpg'))) {
      const { rgb, width, height } = await decodePicture(readFileSync(join(samplesFolder, name)), 512);
      // the middle, so that neither side resizes it
      const [left, top] = [(width - side) >> 1, (height - side) >> 1];
      const middle = Int32Array.from({ length: 3 * side * side }, (_, i) => {
        const [x, y] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side)];
        return rgb[3 * ((top + y) * width + left + x) + (i % 3)]!;
      });
      const expected = await theirs.infer(tf.tensor3d(middle, [side, side, 3])).data();
      const planes = Float32Array.from(
        middle,
        (_, i) => middle[3 * (i % (side * side)) + Math.floor(i / side / side)]! / 255,
      );
      const answers = await ours.run({ [ours.inputNames[0]!]: new ort.Tensor('float32', planes, [1, 3, side, side]) });
      const answer = answers[ours.outputNames[0]!]!.data as Float32Array;
      const furthest = Math.max(...expected.map((value, i) => Math.abs(value - answer[i]!)));
      assert.ok(
        expected.length === 5 && furthest < 1e-5,
        `${name}: ${[...answer].join()}, not ${[...expected].join()}`,
      );
    }
    await ours.release();
  },
);

function installed(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
