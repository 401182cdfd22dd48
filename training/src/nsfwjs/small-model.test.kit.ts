import type { Layer, LayersModel, WeightGroup, WeightTensor } from './layers-model.ts';

const channelsLast = { data_format: 'channels_last', dilation_rate: [1, 1] };

/** A model of the format of nsfwjs with each kind of layer, 9 x 9 pixels and five labels; its weights are bytes. */
export function smallModel(): { model: LayersModel; bytes: Uint8Array } {
  const chain = (name: string, class_name: string, config: object, ...more: string[]): Layer => {
    const from = [layers.at(-1)?.name, ...more].filter((each) => each !== undefined);
    const layer = { name, class_name, config: { ...config }, inbound_nodes: [from.map((each) => [each, 0, 0, {}])] };
    layers.push(layer as unknown as Layer);
    return layer as unknown as Layer;
  };
  const layers: Layer[] = [];
  const convolution = { ...channelsLast, kernel_size: [3, 3], use_bias: false, activation: 'linear' };
  chain('in', 'InputLayer', { batch_input_shape: [null, 9, 9, 3] });
  chain('pad', 'ZeroPadding2D', { padding: [[0, 1], [2, 1]] }); // prettier-ignore
  chain('conv', 'Conv2D', { ...convolution, strides: [2, 2], padding: 'valid' });
  chain('norm', 'BatchNormalization', { axis: -1, epsilon: 0.001, scale: true, center: true });
  chain('six', 'ReLU', { max_value: 6, negative_slope: 0, threshold: 0 });
  chain('depth', 'DepthwiseConv2D', { ...convolution, strides: [1, 1], padding: 'same' });
  chain('add', 'Add', {}, 'six');
  chain('pool', 'AveragePooling2D', { ...channelsLast, pool_size: [2, 2], strides: [2, 2], padding: 'valid' });
  chain('flat', 'Flatten', {});
  chain('hidden', 'Dense', { activation: 'relu', use_bias: true });
  chain('drop', 'Dropout', {});
  chain('out', 'Dense', { activation: 'softmax', use_bias: true });

  const planted: [name: string, shape: number[], min: number, scale: number][] = [
    ['conv/kernel', [3, 3, 3, 4], -1, 2 / 255],
    ['norm/gamma', [4], 0.5, 1 / 255],
    ['norm/beta', [4], -0.5, 1 / 255],
    ['norm/moving_mean', [4], -1, 2 / 255],
    ['norm/moving_variance', [4], 0.2, 1 / 255],
    ['depth/depthwise_kernel', [3, 3, 4, 1], -1, 2 / 255],
    ['hidden/kernel', [16, 6], -1, 2 / 255],
    ['hidden/bias', [6], -1, 2 / 255],
    ['out/kernel', [6, 5], -1, 2 / 255],
    ['out/bias', [5], -1, 2 / 255],
  ];
  const weights = planted.map(([name, shape, min, scale]) => ({
    name,
    shape,
    dtype: 'float32',
    quantization: { min, scale, dtype: 'uint8' },
  }));
  const length = planted.reduce((sum, [, shape]) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const group: WeightGroup = { paths: ['weights'], weights };
  const config = { layers, input_layers: [['in', 0, 0] as const], output_layers: [['out', 0, 0] as const] };
  return {
    model: { modelTopology: { model_config: { config } }, weightsManifest: [group] },
    bytes: Uint8Array.from({ length }, (_, i) => (i * 7919 + (i >> 3) * 104_729) % 256),
  };
}

/** A tensor of one picture: rows, columns and channels, in this order. */
interface Volume {
  readonly size: readonly [height: number, width: number, channels: number];
  readonly at: (y: number, x: number, c: number) => number;
}

/** What the small model answers, computed layer by layer from the definitions. */
export function plainAnswer(weights: ReadonlyMap<string, WeightTensor>, pixels: Float32Array): number[] {
  const w = (name: string): Float32Array => weights.get(name)!.values;
  const input: Volume = { size: [9, 9, 3], at: (y, x, c) => pixels[(y * 9 + x) * 3 + c]! };
  const padded = held([10, 12, 3], (y, x, c) => (y < 9 && x >= 2 && x < 11 ? input.at(y, x - 2, c) : 0));
  const conv = held([4, 5, 4], (y, x, k) =>
    sum(
      [3, 3, 3],
      (dy, dx, c) => padded.at(2 * y + dy, 2 * x + dx, c) * w('conv/kernel')[((dy * 3 + dx) * 3 + c) * 4 + k]!,
    ),
  );
  const [gamma, beta] = [w('norm/gamma'), w('norm/beta')];
  const [mean, variance] = [w('norm/moving_mean'), w('norm/moving_variance')];
  const six = held([4, 5, 4], (y, x, c) => {
    const normal = (gamma[c]! * (conv.at(y, x, c) - mean[c]!)) / Math.sqrt(variance[c]! + 0.001) + beta[c]!;
    return Math.min(6, Math.max(0, normal));
  });
  const depth = held([4, 5, 4], (y, x, c) =>
    sum([3, 3, 1], (dy, dx) => {
      const [row, column] = [y + dy - 1, x + dx - 1];
      const inside = row >= 0 && row < 4 && column >= 0 && column < 5;
      return inside ? six.at(row, column, c) * w('depth/depthwise_kernel')[(dy * 3 + dx) * 4 + c]! : 0;
    }),
  );
  const pooled = held([2, 2, 4], (y, x, c) =>
    sum([2, 2, 1], (dy, dx) => (depth.at(2 * y + dy, 2 * x + dx, c) + six.at(2 * y + dy, 2 * x + dx, c)) / 4),
  );
  const flat = Array.from({ length: 16 }, (_, i) => pooled.at(i >> 3, (i >> 2) & 1, i & 3));
  const dense = (from: number[], name: string): number[] =>
    Array.from(w(`${name}/bias`), (bias, k) =>
      from.reduce((total, value, i) => total + value * w(`${name}/kernel`)[i * w(`${name}/bias`).length + k]!, bias),
    );
  const logits = dense(dense(flat, 'hidden').map((value) => Math.max(0, value)), 'out'); // prettier-ignore
  const powers = logits.map(Math.exp);
  return powers.map((power) => power / powers.reduce((a, b) => a + b, 0));
}

function held(size: Volume['size'], value: Volume['at']): Volume {
  const [height, width, channels] = size;
  const values = Array.from({ length: height * width * channels }, (_, i) =>
    value(Math.floor(i / channels / width), Math.floor(i / channels) % width, i % channels),
  );
  return { size, at: (y, x, c) => values[(y * width + x) * channels + c]! };
}

function sum([a, b, c]: readonly [number, number, number], term: (i: number, j: number, k: number) => number): number {
  let total = 0;
  for (let i = 0; i < a; i++) for (let j = 0; j < b; j++) for (let k = 0; k < c; k++) total += term(i, j, k);
  return total;
}
