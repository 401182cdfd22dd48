import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decoder } from '../decode/decoder.ts';
import type { SharedStore } from '../store/store.ts';
import { Training } from './training.ts';

// A service would describe 600 pictures; the limit depends neither on its decoder nor on its store.
const decoder = { keep: async () => ({ dna: new Uint8Array(1), thumbnail: new Uint8Array(1) }) };
const store = { profiles: { names: async () => [] } };

test('a profile has at most 600 examples; a file that is one of them may change its class', async () => {
  const training = new Training(store as unknown as SharedStore, decoder as unknown as Decoder);
  const file = (number: number): Uint8Array => Uint8Array.of(number >> 8, number & 255);
  for (let i = 0; i < 600; i++) await training.add('large', true, file(i));
  await assert.rejects(training.add('large', true, file(600)), { code: -2842, message: /has 600, which is the most/ });
  await training.add('large', false, file(599));
  assert.deepEqual(training.find('large'), { state: 'collecting', fault: '', positives: 599, negatives: 1 });
});
