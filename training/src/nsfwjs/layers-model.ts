/** A TensorFlow.js layers model as its file has it; only the fields that the conversion reads. */
export interface LayersModel {
  readonly modelTopology: {
    readonly model_config: {
      readonly config: {
        readonly layers: readonly Layer[];
        readonly input_layers: readonly LayerOutput[];
        readonly output_layers: readonly LayerOutput[];
      };
    };
  };
  readonly weightsManifest: readonly WeightGroup[];
}

export interface Layer {
  readonly name: string;
  readonly class_name: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** One call of the layer, with the outputs that it takes. */
  readonly inbound_nodes: readonly (readonly LayerOutput[])[];
}

type LayerOutput = readonly [layer: string, ...unknown[]];

export interface WeightGroup {
  /** Files whose bytes, one after the other, are the weights. */
  readonly paths: readonly string[];
  readonly weights: readonly WeightEntry[];
}

interface WeightEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  /** value = scale * integer + min */
  readonly quantization?: { readonly min: number; readonly scale: number; readonly dtype: string };
}

export interface WeightTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const quantized = { uint8: Uint8Array, uint16: Uint16Array };

/** The weights of a group by name, in float32 as TensorFlow.js decodes them. */
export function decodeWeights({ weights }: WeightGroup, bytes: Uint8Array): Map<string, WeightTensor> {
  const tensors = new Map<string, WeightTensor>();
  let at = 0;
  for (const { name, shape, dtype, quantization } of weights) {
    const numbers = dtype === 'float32' ? numbersOf(quantization?.dtype) : undefined;
    if (!numbers) throw new Error(`weight ${name}: expected float32, got ${quantization?.dtype ?? dtype}`);
    const length = shape.reduce((a, b) => a * b, 1);
    const end = at + length * numbers.BYTES_PER_ELEMENT;
    if (end > bytes.length) throw new Error(`expected at least ${end} bytes of weights, got ${bytes.length}`);
    const stored = new numbers(Uint8Array.from(bytes.subarray(at, end)).buffer);
    const { min, scale } = quantization ?? { min: 0, scale: 1 };
    tensors.set(name, { shape, values: Float32Array.from(stored, (value) => scale * value + min) });
    at = end;
  }
  if (at !== bytes.length) throw new Error(`expected ${at} bytes of weights, got ${bytes.length}`);
  return tensors;
}

function numbersOf(dtype: string | undefined) {
  return dtype === undefined ? Float32Array : quantized[dtype as keyof typeof quantized];
}
