import { integers, onnxFile, type Attribute, type Node, type Shape } from '@sosia/engine/classify/onnx-file.test.kit';
import type { Layer, LayersModel, WeightTensor } from './layers-model.ts';

/**
 * Converts a layers model with one input and one output to ONNX. All tensors become NCHW, the input too. The weights are
 * the same float32 numbers.
 * @throws Error for a layer, or a setting of a layer, that is not supported
 */
export function toOnnx({ modelTopology }: LayersModel, weights: ReadonlyMap<string, WeightTensor>): Uint8Array {
  const { layers, input_layers, output_layers } = modelTopology.model_config.config;
  const [inputs, outputs] = [input_layers, output_layers].map((all) => all.map(([layer]) => layer));
  if (inputs!.length !== 1 || outputs!.length !== 1)
    throw new Error(`expected one input and one output, got ${inputs!.length} and ${outputs!.length}`);
  const conversion = new Conversion(weights);
  for (const layer of layers) {
    const convert = converters[layer.class_name];
    if (!convert) throw new Error(`layer ${layer.name}: ${layer.class_name} is not supported`);
    convert(conversion, layer);
  }
  return onnxFile({ ...conversion.graph, outputs: { [outputs![0]!]: [1, 'labels'] } });
}

type Attributes = Readonly<Record<string, Attribute>>;

class Conversion {
  readonly graph = {
    nodes: [] as Node[],
    weights: {} as Record<string, WeightTensor>,
    lists: {} as Record<string, readonly number[]>,
    inputs: {} as Record<string, Shape>,
  };
  readonly #stored: ReadonlyMap<string, WeightTensor>;

  constructor(stored: ReadonlyMap<string, WeightTensor>) {
    this.#stored = stored;
  }

  /** The output of a layer has its name. `constants` are inputs after those of the layer. */
  node(operator: string, layer: Layer, constants: readonly string[] = [], attributes: Attributes = {}): void {
    const from = layer.inbound_nodes[0]!.map(([other]) => other);
    this.graph.nodes.push([operator, [...from, ...constants], [layer.name], attributes]);
  }

  /** As `node`, with the activation function that the layer has besides. */
  activated(operator: string, layer: Layer, constants: readonly string[], attributes: Attributes = {}): void {
    const activation = wordOf(layer, 'activation', Object.keys(activations));
    if (activation === 'linear') return this.node(operator, layer, constants, attributes);
    const linear = `${layer.name}/linear`;
    this.node(operator, { ...layer, name: linear }, constants, attributes);
    this.graph.nodes.push([activations[activation]!, [linear], [layer.name]]);
  }

  /** The name of a stored weight of the layer; `change` gives its form in ONNX. */
  weight(layer: Layer, name: string, change: (tensor: WeightTensor) => WeightTensor = (tensor) => tensor): string {
    const full = `${layer.name}/${name}`;
    const stored = this.#stored.get(full);
    if (!stored) throw new Error(`there is no weight ${full}`);
    this.graph.weights[full] = change(stored);
    return full;
  }

  bias(layer: Layer): readonly string[] {
    return layer.config['use_bias'] === true ? [this.weight(layer, 'bias')] : [];
  }

  scalar(value: number): string {
    const name = `scalar ${value}`;
    this.graph.weights[name] = { shape: [], values: Float32Array.of(value) };
    return name;
  }

  list(layer: Layer, values: readonly number[]): string {
    const name = `${layer.name}/list`;
    this.graph.lists[name] = values;
    return name;
  }
}

const activations: Readonly<Record<string, string>> = { linear: '', relu: 'Relu', softmax: 'Softmax' };

const converters: Readonly<Record<string, ((to: Conversion, layer: Layer) => void) | undefined>> = {
  InputLayer(to, layer) {
    const [, height, width, channels] = layer.config['batch_input_shape'] as readonly number[];
    to.graph.inputs[layer.name] = [1, channels!, height!, width!];
  },
  ZeroPadding2D(to, layer) {
    const [[top, bottom], [left, right]] = layer.config['padding'] as [[number, number], [number, number]];
    to.node('Pad', layer, [to.list(layer, [0, 0, top, left, 0, 0, bottom, right])]);
  },
  Conv2D(to, layer) {
    const kernel = to.weight(layer, 'kernel', (tensor) => transposed(tensor, [3, 2, 0, 1]));
    to.activated('Conv', layer, [kernel, ...to.bias(layer)], window(layer, 'kernel_size'));
  },
  DepthwiseConv2D(to, layer) {
    let group = 0n;
    const kernel = to.weight(layer, 'depthwise_kernel', (tensor) => {
      const { shape, values } = transposed(tensor, [2, 3, 0, 1]);
      const [channels, multiplier, height, width] = shape as [number, number, number, number];
      group = BigInt(channels);
      return { shape: [channels * multiplier, 1, height, width], values };
    });
    const attributes = { ...window(layer, 'kernel_size'), group };
    to.activated('Conv', layer, [kernel, ...to.bias(layer)], attributes);
  },
  BatchNormalization(to, layer) {
    expectSettings(layer, { axis: -1, scale: true, center: true });
    const names = ['gamma', 'beta', 'moving_mean', 'moving_variance'];
    const constants = names.map((name) => to.weight(layer, name));
    to.node('BatchNormalization', layer, constants, { epsilon: layer.config['epsilon'] as number });
  },
  ReLU(to, layer) {
    expectSettings(layer, { negative_slope: 0, threshold: 0 });
    to.node('Clip', layer, [to.scalar(0), to.scalar((layer.config['max_value'] as number | null) ?? Infinity)]);
  },
  Add: (to, layer) => to.node('Add', layer),
  AveragePooling2D: (to, layer) => to.node('AveragePool', layer, [], window(layer, 'pool_size')),
  Flatten(to, layer) {
    const last = `${layer.name}/channels last`;
    to.node('Transpose', { ...layer, name: last }, [], { perm: integers(0, 2, 3, 1) });
    to.graph.nodes.push(['Flatten', [last], [layer.name]]);
  },
  Dropout: (to, layer) => to.node('Identity', layer),
  Dense: (to, layer) => to.activated('Gemm', layer, [to.weight(layer, 'kernel'), ...to.bias(layer)]),
};

/** The attributes of what moves a window over the picture. */
function window(layer: Layer, size: 'kernel_size' | 'pool_size'): Attributes {
  expectSettings(layer, { data_format: 'channels_last', ...(size === 'kernel_size' && { dilation_rate: [1, 1] }) });
  const padding = wordOf(layer, 'padding', ['same', 'valid']);
  return {
    kernel_shape: integers(...(layer.config[size] as number[])),
    strides: integers(...(layer.config['strides'] as number[])),
    auto_pad: padding === 'same' ? 'SAME_UPPER' : 'VALID',
  };
}

function wordOf({ name, config }: Layer, field: string, known: readonly string[]): string {
  const word = config[field] as string;
  if (known.includes(word)) return word;
  throw new Error(`layer ${name}: expected ${field} to be ${known.join(' or ')}, got ${JSON.stringify(word)}`);
}

function expectSettings({ name, config }: Layer, expected: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(expected)) {
    const [wanted, got] = [value, config[field]].map((each) => JSON.stringify(each));
    if (wanted !== got) throw new Error(`layer ${name}: expected ${field} to be ${wanted}, got ${got}`);
  }
}

/** Axis i of the result is axis `order[i]` of the tensor. */
function transposed({ shape, values }: WeightTensor, order: readonly number[]): WeightTensor {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const result = new Float32Array(values.length);
  let at = 0;
  const copy = (depth: number, place: number): void => {
    if (depth === order.length) {
      result[at++] = values[place]!;
      return;
    }
    const axis = order[depth]!;
    for (let i = 0; i < shape[axis]!; i++) copy(depth + 1, place + i * strides[axis]!);
  };
  copy(0, 0);
  return { shape: order.map((axis) => shape[axis]!), values: result };
}
