import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DnaError } from '../errors.ts';
import { sealBlock } from './block.ts';
import { openNetworkDna, signedBytes, writeNetworkDna } from './network-similarity.ts';
import { COLOR_AMOUNT_BYTES, COLOR_LAYOUT_BYTES, SHAPE_BYTES, writeSimilarityDna } from './similarity.ts';

const network = { digest: '00ff0123456789ab', length: 5 };
const color = Uint8Array.from({ length: COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES }, (_, i) =>
  i < 100 || i >= COLOR_AMOUNT_BYTES ? i : 0,
);
const similarity = writeSimilarityDna(new Int8Array(SHAPE_BYTES).fill(1), color);
const vector = Int8Array.of(-127, 3, 0, 1, 126);
const dna = writeNetworkDna(network, similarity, vector);

test('the DNA of a network has the colours of the picture and the vector', () => {
  const opened = openNetworkDna(dna, network);
  assert.deepEqual(opened.slice(0, COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES), color);
  assert.deepEqual(Int8Array.from(opened.slice(COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES)), vector);
  assert.deepEqual([...dna.subarray(0, 12)], [0xd7, 1, 19, 0, 0, 0xff, 1, 0x23, 0x45, 0x67, 0x89, 0xab]);
});

test('DNA of another network, of none, or that is not canonical is refused', () => {
  const refused = (block: Uint8Array, words: RegExp, other = network) =>
    assert.throws(
      () => openNetworkDna(block, other),
      (cause) => cause instanceof DnaError && words.test(cause.message),
    );
  const changed = (at: number, value: number): Uint8Array => {
    const payload = dna.slice(4, -4);
    payload[at] = value;
    return sealBlock('network-similarity', payload);
  };
  refused(dna, /DNA of the network 00ff0123456789ab, expected 1111111111111111/, {
    ...network,
    digest: '1'.repeat(16),
  });
  refused(dna, /DNA of 173 bytes, expected 174/, { ...network, length: 6 });
  refused(similarity, /DNA of kind similarity, expected network-similarity/);
  refused(changed(8 + 105, 1), /unknown fields/);
  refused(changed(8 + COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES + 1, 128), /a vector that no network gives/);
  refused(changed(8 + COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES, 126), /a vector that no network gives/);
  refused(dna.slice(0, -1), /damaged/);
});

test('signed bytes keep the direction; a vector without one has none', () => {
  assert.deepEqual(signedBytes(Float32Array.of(-2, 1, 0)), Int8Array.of(-127, 64, 0));
  for (const vector of [[0, 0], [NaN, 1], [-Infinity, 1], []]) assert.equal(signedBytes(Float32Array.from(vector)), undefined); // prettier-ignore
});
