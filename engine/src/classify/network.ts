import { joined } from '../memory/joined.ts';
import { crc32c } from '../dna/crc32c.ts';
import { beginsWith, ProfileError, requireName, textIn } from './profile.ts';

/**
 * A profile that is a network of the operator (ONNX), with its inputs and outputs. The engine keeps it and does not
 * run it. As a block of bytes, little-endian:
 *
 *     byte  field
 *     0     'SNET'
 *     4     version                                        uint8
 *     5     n, the bytes of the name                       uint8
 *     6     m, the bytes of the spec                     uint16
 *     8     the name, UTF-8
 *     8+n   the spec, JSON
 *     …     the model
 *     …     CRC-32C of all before                          uint32
 */
export interface Network {
  readonly name: string;
  readonly spec: NetworkSpec;
  /** An ONNX file. */
  readonly model: Uint8Array;
}

/** The form of a network's input, and the meaning of its output. */
export interface NetworkSpec {
  /** Pixels; needed where the model leaves them open, and the model's own otherwise. */
  readonly width?: number;
  readonly height?: number;
  /** `crop` fits the shorter side and cuts the middle out, `stretch` fits both sides. */
  readonly fit: 'crop' | 'stretch';
  readonly layout: 'NCHW' | 'NHWC';
  /** Order of the channels. */
  readonly channels: 'RGB' | 'BGR';
  /** A channel in [0, 1] goes in as (channel - mean) / std. In the order of `channels`. */
  readonly mean: readonly number[];
  readonly std: readonly number[];
  /** The classes of the output's numbers, in order; none for an embedding. */
  readonly labels: readonly string[];
  /** The labels that make the profile fit. */
  readonly positive: readonly string[];
  /**
   * Logits become probabilities by softmax, a single one by the logistic function. An embedding is a vector that Image
   * Similarity compares, and no profile.
   */
  readonly output: 'probabilities' | 'logits' | 'embedding';
  /** The probability from which on the profile fits: a score of 0. In (0, 1). */
  readonly threshold: number;
}

/** Most bytes of a model. */
export const MAX_NETWORK_BYTES = 100_000_000;
/** Sides of a network's input, in pixels. */
export const NETWORK_SIDES = { least: 8, most: 1024 } as const;

const MAGIC = 'SNET';
const VERSION = 1;
const HEADER_BYTES = 8;
const MAX_SPEC_BYTES = 65_535;

const isSide = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= NETWORK_SIDES.least && (value as number) <= NETWORK_SIDES.most;
const isNumbers = (value: unknown, test: (each: number) => boolean): boolean =>
  Array.isArray(value) &&
  value.length === 3 &&
  value.every((each: unknown) => typeof each === 'number' && Number.isFinite(each) && test(each));
const isLabels = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' && each !== '') &&
  new Set(value).size === value.length;
const oneOf =
  (...words: string[]) =>
  (value: unknown): boolean =>
    words.includes(value as string);

/** Of each field what it may be, in words and as a test. */
const fields: Readonly<Record<keyof NetworkSpec, readonly [words: string, test: (value: unknown) => boolean]>> = {
  width: [`whole pixels, ${NETWORK_SIDES.least} to ${NETWORK_SIDES.most}`, isSide],
  height: [`whole pixels, ${NETWORK_SIDES.least} to ${NETWORK_SIDES.most}`, isSide],
  fit: ['crop or stretch', oneOf('crop', 'stretch')],
  layout: ['NCHW or NHWC', oneOf('NCHW', 'NHWC')],
  channels: ['RGB or BGR', oneOf('RGB', 'BGR')],
  mean: ['three numbers', (value) => isNumbers(value, () => true)],
  std: ['three numbers over 0', (value) => isNumbers(value, (each) => each > 0)],
  labels: ['a list of different words', isLabels],
  positive: ['a list of labels', isLabels],
  output: ['probabilities, logits or embedding', oneOf('probabilities', 'logits', 'embedding')],
  threshold: ['a number between 0 and 1', (value) => typeof value === 'number' && value > 0 && value < 1],
};

const usual = {
  fit: 'crop',
  layout: 'NCHW',
  channels: 'RGB',
  mean: [0, 0, 0],
  std: [1, 1, 1],
  output: 'probabilities',
  threshold: 0.5,
} as const;

/**
 * The description of a network, with defaults for absent fields.
 * @throws ProfileError for a field that is missing, unknown or has a value that it may not have
 */
export function networkSpecOf(written: unknown): NetworkSpec {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new ProfileError('expected an object of fields that tell how to ask the network');
  const entries = Object.entries(written);
  const unknown = entries.map(([name]) => name).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw new ProfileError(`${unknown} is no field; expected ${Object.keys(fields).join(', ')}`);
  for (const [name, value] of entries) {
    const [words, test] = fields[name as keyof NetworkSpec];
    if (!test(value)) throw new ProfileError(`${name}: expected ${words}, got ${JSON.stringify(value)}`);
  }
  const given = written as Partial<NetworkSpec>;
  if (given.output === 'embedding') {
    if (given.labels?.length || given.positive?.length) throw new ProfileError('labels: an embedding has none');
    return { ...usual, ...given, labels: [], positive: [] };
  }
  if (!given.labels?.length) throw new ProfileError('labels: expected what each number of the output means');
  const positive = given.positive ?? (given.labels.length === 1 ? given.labels : undefined);
  if (!positive?.length) throw new ProfileError('positive: expected the labels that make the profile fit');
  const unknownLabel = positive.find((label) => !given.labels!.includes(label));
  if (unknownLabel !== undefined) throw new ProfileError(`positive: ${unknownLabel} is none of the labels`);
  if (positive.length === given.labels.length && positive.length > 1)
    throw new ProfileError('positive: expected a label to be left that does not fit');
  return { ...usual, ...given, labels: given.labels, positive };
}

export function writeNetwork({ name, spec, model }: Network): Uint8Array {
  requireName(name);
  if (model.length > MAX_NETWORK_BYTES)
    throw new ProfileError(`expected a model of at most ${MAX_NETWORK_BYTES} bytes, got ${model.length}`);
  const letters = new TextEncoder().encode(name);
  const text = new TextEncoder().encode(JSON.stringify(networkSpecOf(spec)));
  if (text.length > MAX_SPEC_BYTES)
    throw new ProfileError(`expected at most ${MAX_SPEC_BYTES} bytes that tell of the network, got ${text.length}`);
  const magic = new TextEncoder().encode(MAGIC);
  const head = Uint8Array.of(...magic, VERSION, letters.length, text.length & 255, text.length >> 8);
  const bytes = joined([head, letters, text, model, new Uint8Array(4)]);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}

/** Whether bytes are meant to be a network's block; the first four decide. */
export function isNetwork(block: Uint8Array): boolean {
  return beginsWith(block, MAGIC);
}

/** Refuses whatever `writeNetwork` does not write. The model itself is not read. */
export function openNetwork(block: Uint8Array): Network {
  if (!isNetwork(block) || block.length < HEADER_BYTES + 4)
    throw new ProfileError(`not a network: ${block.length} bytes`);
  if (block[4] !== VERSION) throw new ProfileError(`network version ${block[4]}, expected ${VERSION}`);
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  if (crc32c(block.subarray(0, -4)) !== view.getUint32(block.length - 4, true))
    throw new ProfileError('the profile is damaged: its checksum does not fit');
  const start = HEADER_BYTES + block[5];
  const end = start + view.getUint16(6, true);
  if (end > block.length - 4) throw new ProfileError(`network of ${block.length} bytes, expected at least ${end + 4}`);
  const name = textIn(block.subarray(HEADER_BYTES, start));
  requireName(name);
  return { name, spec: readSpec(textIn(block.subarray(start, end))), model: block.subarray(end, -4) };
}

/** @throws ProfileError for text that `writeNetwork` does not write */
function readSpec(text: string): NetworkSpec {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    throw new ProfileError(`expected JSON that describes the network, got ${JSON.stringify(text.slice(0, 40))}`);
  }
  const spec = networkSpecOf(written);
  if (JSON.stringify(spec) !== text) throw new ProfileError('the network has fields in another form than is written');
  return spec;
}
