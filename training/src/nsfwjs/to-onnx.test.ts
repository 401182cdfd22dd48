import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { decodeWeights, type LayersModel } from './layers-model.ts';
import { plainAnswer, smallModel } from './small-model.test.kit.ts';
import { toOnnx } from './to-onnx.ts';

ort.env.wasm.numThreads = 1;
const { model, bytes } = smallModel();
const weights = decodeWeights(model.weightsManifest[0]!, bytes);

test('a converted model answers what the definitions of its layers give', async () => {
  const session = await ort.InferenceSession.create(toOnnx(model, weights), { executionProviders: ['wasm'] });
  for (let picture = 0; picture < 20; picture++) {
    const pixels = Float32Array.from(
      { length: 9 * 9 * 3 },
      (_, i) => ((i * 31 + picture * 977 + (i >> 2) * i) % 256) / 255,
    );
    const channelsFirst = Float32Array.from(pixels, (_, i) => pixels[(i % 81) * 3 + Math.floor(i / 81)]!);
    const { out } = await session.run({ in: new ort.Tensor('float32', channelsFirst, [1, 3, 9, 9]) });
    const answer = Array.from(out!.data as Float32Array);
    plainAnswer(weights, pixels).forEach((expected, i) => {
      assert.ok(
        Math.abs(answer[i]! - expected) < 1e-6,
        `picture ${picture}, label ${i}: ${answer[i]}, not ${expected}`,
      );
    });
  }
  await session.release();
});

test('weights are decoded as scale * integer + min in float32, and must fill their bytes exactly', () => {
  const tensor = weights.get('norm/gamma')!;
  const at = 108; // the bytes of the kernel before
  assert.deepEqual(tensor.shape, [4]);
  assert.deepEqual(
    [...tensor.values],
    [...bytes.subarray(at, at + 4)].map((byte) => Math.fround((1 / 255) * byte + 0.5)),
  );
  const [group] = model.weightsManifest;
  assert.throws(() => decodeWeights(group!, bytes.subarray(1)), /expected at least \d+ bytes of weights/);
  assert.throws(() => decodeWeights(group!, Uint8Array.of(...bytes, 0)), /expected 297 bytes of weights, got 298/);
  const whole = [{ name: 'a', shape: [1], dtype: 'int32' }];
  assert.throws(() => decodeWeights({ paths: [], weights: whole }, new Uint8Array(4)), /expected float32, got int32/);
  const plain = [{ name: 'a', shape: [2], dtype: 'float32' }];
  const stored = new Uint8Array(Float32Array.of(0.1, -3).buffer);
  assert.deepEqual(decodeWeights({ paths: [], weights: plain }, stored).get('a')!.values, Float32Array.of(0.1, -3));
});

test('a layer or a setting that is not supported is refused by name', () => {
  const { layers, ...ends } = model.modelTopology.model_config.config;
  const changed = (name: string, change: object, config: object = {}): LayersModel => {
    const others = layers.map((layer) =>
      layer.name === name ? { ...layer, ...change, config: { ...layer.config, ...config } } : layer,
    );
    return { ...model, modelTopology: { model_config: { config: { ...ends, layers: others } } } };
  };
  for (const [change, words] of [
    [changed('conv', { class_name: 'Conv3D' }), /layer conv: Conv3D is not supported/],
    [changed('conv', {}, { dilation_rate: [2, 2] }), /layer conv: expected dilation_rate to be \[1,1\], got \[2,2\]/],
    [changed('conv', {}, { padding: 'causal' }), /layer conv: expected padding to be same or valid, got "causal"/],
    [changed('pool', {}, { data_format: 'channels_first' }), /layer pool: expected data_format/],
    [changed('out', {}, { activation: 'selu' }), /layer out: expected activation to be linear or relu or softmax/],
    [changed('norm', {}, { axis: 1 }), /layer norm: expected axis to be -1, got 1/],
    [changed('six', {}, { negative_slope: 0.1 }), /layer six: expected negative_slope/],
    [changed('conv', { name: 'other' }), /there is no weight other\/kernel/],
  ] as const)
    assert.throws(() => toOnnx(change, weights), words);
});
