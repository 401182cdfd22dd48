/**
 * Writes ONNX files. The numbers of the fields are those of onnx.proto
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
 */

import { joined } from '../memory/joined.ts';

/** A number is a length, a word a length that is left open. */
export type Shape = readonly (number | string)[];

export interface Graph {
  readonly nodes: readonly Node[];
  readonly weights?: Readonly<Record<string, Weights>>;
  /** Lists of whole numbers, as shapes are. */
  readonly lists?: Readonly<Record<string, readonly number[]>>;
  readonly inputs: Readonly<Record<string, Shape>>;
  readonly outputs: Readonly<Record<string, Shape>>;
  /** Of the inputs; 1 is float32, 10 float16. */
  readonly element?: number;
}

export type Node = readonly [
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes?: Readonly<Record<string, Attribute>>,
];

/** A number is written as a float, a bigint as a whole number. */
export type Attribute = number | bigint | string | BigInt64Array;

export interface Weights {
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

/** ONNX of IR version 8 and operator set 13. */
export function onnxFile({
  nodes,
  weights = {},
  lists = {},
  inputs,
  outputs,
  element = ONNX_FLOAT32,
}: Graph): Uint8Array {
  const graph = joined([
    ...nodes.map((node) => part(1, nodeBytes(node))),
    part(2, 'graph'),
    ...Object.entries(weights).map(([name, { shape, values }]) =>
      part(5, tensor(name, shape, ONNX_FLOAT32, new Uint8Array(Float32Array.from(values).buffer))),
    ),
    ...Object.entries(lists).map(([name, values]) =>
      part(5, tensor(name, [values.length], ONNX_INT64, new Uint8Array(integers(...values).buffer))),
    ),
    ...Object.entries(inputs).map(([name, shape]) => part(11, described(name, shape, element))),
    ...Object.entries(outputs).map(([name, shape]) => part(12, described(name, shape, ONNX_FLOAT32))),
  ]);
  const operators = joined([part(1, ''), count(2, 13)]);
  return joined([count(1, 8), part(7, graph), part(8, operators)]);
}

/** An attribute of whole numbers. */
export function integers(...values: readonly number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}

const ONNX_FLOAT32 = 1;
const ONNX_INT64 = 7;
/** AttributeProto.AttributeType. */
const attributeTypes = { number: 1, bigint: 2, string: 3, list: 7 };

function nodeBytes([operator, from, to, attributes = {}]: Node): Uint8Array {
  return joined([
    ...from.map((name) => part(1, name)),
    ...to.map((name) => part(2, name)),
    part(4, operator),
    ...Object.entries(attributes).map(([name, value]) => part(5, attribute(name, value))),
  ]);
}

function attribute(name: string, value: Attribute): Uint8Array {
  if (typeof value === 'number') return joined([part(1, name), float(2, value), count(20, attributeTypes.number)]);
  if (typeof value === 'bigint')
    return joined([part(1, name), count(3, Number(value)), count(20, attributeTypes.bigint)]);
  if (typeof value === 'string') return joined([part(1, name), part(4, value), count(20, attributeTypes.string)]);
  const each = Array.from(value, (number) => count(8, Number(number)));
  return joined([part(1, name), ...each, count(20, attributeTypes.list)]);
}

function tensor(name: string, shape: readonly number[], type: number, raw: Uint8Array): Uint8Array {
  return joined([...shape.map((length) => count(1, length)), count(2, type), part(8, name), part(9, raw)]);
}

function described(name: string, shape: Shape, element: number): Uint8Array {
  const lengths = shape.map((length) => part(1, typeof length === 'number' ? count(1, length) : part(2, length)));
  return joined([part(1, name), part(2, part(1, joined([count(1, element), part(2, joined(lengths))])))]);
}

/** A field of bytes, text or a message. */
function part(field: number, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return joined([varint(8 * field + 2), varint(bytes.length), bytes]);
}

function count(field: number, value: number): Uint8Array {
  return joined([varint(8 * field), varint(value)]);
}

function float(field: number, value: number): Uint8Array {
  return joined([varint(8 * field + 5), new Uint8Array(Float32Array.of(value).buffer)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.of(...bytes, value);
}
