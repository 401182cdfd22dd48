import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { crc32c } from '../dna/crc32c.ts';
import { isNetwork, networkSpecOf, openNetwork, writeNetwork } from './network.ts';
import { openProfile, ProfileError } from './profile.ts';

const usual = { labels: ['indoor', 'outdoor'], positive: ['outdoor'] };
const network = { name: 'outdoor', spec: networkSpecOf(usual), model: Uint8Array.of(8, 8, 1, 2, 3) };

test('a network is read from its block as it was written', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 50 }),
      fc.integer({ min: 8, max: 1024 }),
      fc.boolean(),
      (model, side, all) => {
        const size = { width: side, height: 1032 - side };
        const spec = networkSpecOf({
          ...usual,
          ...(all && { ...size, output: 'logits', threshold: 0.25, fit: 'stretch' }),
        });
        const block = writeNetwork({ name: 'a-1', spec, model });
        assert.ok(isNetwork(block));
        assert.deepEqual(openNetwork(block), { name: 'a-1', spec, model });
      },
    ),
  );
});

test('a block that is damaged, cut short or something else is refused', () => {
  const block = writeNetwork(network);
  for (let i = 0; i < block.length; i++) {
    const damaged = block.slice();
    damaged[i] ^= 16;
    assert.throws(() => openNetwork(damaged), ProfileError, `byte ${i}`);
    assert.throws(() => openNetwork(block.subarray(0, i)), ProfileError, `${i} bytes`);
  }
  const longer = block.slice();
  new DataView(longer.buffer).setUint16(6, 60_000, true);
  new DataView(longer.buffer).setUint32(longer.length - 4, crc32c(longer.subarray(0, -4)), true);
  assert.throws(() => openNetwork(longer), /expected at least/);
  assert.throws(() => openProfile(block), /not a profile/);
});

test('what is not said of a network is what is usual', () => {
  assert.deepEqual(networkSpecOf({ labels: ['nude'] }), {
    fit: 'crop',
    layout: 'NCHW',
    channels: 'RGB',
    mean: [0, 0, 0],
    std: [1, 1, 1],
    labels: ['nude'],
    positive: ['nude'],
    output: 'probabilities',
    threshold: 0.5,
  });
});

const faults: [written: unknown, words: RegExp][] = [
  [[], /expected an object/],
  [null, /expected an object/],
  [{}, /labels: expected what each number/],
  [{ ...usual, labels: ['a', 'a'] }, /labels: expected a list of different words/],
  [{ labels: ['a', 'b'] }, /positive: expected the labels that make the profile fit/],
  [{ ...usual, positive: ['sea'] }, /positive: sea is none of the labels/],
  [{ ...usual, positive: usual.labels }, /expected a label to be left/],
  [{ ...usual, lables: [] }, /lables is no field; expected width, height/],
  [{ ...usual, width: 7 }, /width: expected whole pixels, 8 to 1024, got 7/],
  [{ ...usual, mean: [0.5] }, /mean: expected three numbers, got \[0.5\]/],
  [{ ...usual, std: [1, 0, 1] }, /std: expected three numbers over 0/],
  [{ ...usual, threshold: 1 }, /threshold: expected a number between 0 and 1, got 1/],
  [{ ...usual, layout: 'CHW' }, /layout: expected NCHW or NHWC, got "CHW"/],
];

test('a description with a fault is refused by the name of the field', () => {
  for (const [written, words] of faults) {
    assert.throws(
      () => networkSpecOf(written),
      (cause) => cause instanceof ProfileError && words.test(cause.message),
      JSON.stringify(written),
    );
  }
});
