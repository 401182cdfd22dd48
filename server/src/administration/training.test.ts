import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EMBEDDING_LENGTH, type train } from '@sosia/engine';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Decoder } from '../decode/decoder.ts';
import type { SharedStore } from '../store/store.ts';
import { Training } from './training.ts';

// A service would describe 600 pictures; the limits depend neither on its decoder nor on its store.
const decoder = { keep: async () => ({ dna: new Uint8Array(1), thumbnail: new Uint8Array(1) }) };
const store = { profiles: { names: async () => [{ name: 'known' }] } };
const file = (number: number): Uint8Array => Uint8Array.of(number >> 8, number & 255);
const made = (): Training => new Training(store as unknown as SharedStore, decoder as unknown as Decoder);

test('a profile has at most 600 examples; a file that is one of them may change its class', async () => {
  const training = made();
  for (let i = 0; i < 600; i++) await training.add('large', true, file(i));
  await assert.rejects(training.add('large', true, file(600)), {
    code: errors.BAD_EXAMPLES.code,
    message: /has 600, which is the most/,
  });
  await training.add('large', false, file(599));
  assert.deepEqual(training.find('large'), { state: 'collecting', fault: '', positives: 599, negatives: 1 });
});

test('a training begins with ten of each class, takes no examples meanwhile, and names why it failed', async () => {
  const training = made();
  await assert.rejects(training.add('No', true, file(0)), { error: 'BAD_PARAMETER' });
  for (const begin of [() => training.add('known', true, file(0)), () => training.start('known')])
    await assert.rejects(begin(), { error: 'PROFILE_EXISTS' });
  await assert.rejects(training.start('new'), { error: 'UNKNOWN_PROFILE' });
  for (let i = 0; i < 10; i++) await training.add('new', true, file(i));
  for (let i = 10; i < 19; i++) await training.add('new', false, file(i));
  await assert.rejects(training.start('new'), { error: 'BAD_EXAMPLES', message: /got 10 and 9/ });
  await training.add('new', false, file(19));

  await training.start('new');
  await assert.rejects(training.start('new'), { error: 'BAD_EXAMPLES', message: /is being trained/ });
  await assert.rejects(training.add('new', true, file(20)), { error: 'BAD_EXAMPLES', message: /is being trained/ });
  while (training.find('new')!.state === 'training') await pause(10);
  // the embeddings of this decoder are too short
  const { state, fault } = training.find('new')!;
  assert.equal(state, 'failed');
  assert.notEqual(fault, '');
  await training.add('new', true, file(20));
  assert.deepEqual(training.find('new'), { state: 'collecting', fault: '', positives: 11, negatives: 10 });
  assert.deepEqual([training.forget('new'), training.forget('new'), training.names()], [true, false, []]);
});

test('the contact sheet has the 24 worst mistakes, blue where a picture that does not fit seemed to', async () => {
  const drawn: number[] = [];
  let stored: { report: ReturnType<typeof train>['report']; mistakes: Uint8Array } | undefined;
  const training = new Training(
    {
      profiles: { names: async () => [], add: async (made: typeof stored) => void (stored = made) },
    } as unknown as SharedStore,
    {
      keep: async ([, number]: Uint8Array) => ({ dna: vagueEmbedding(number!), thumbnail: Uint8Array.of(number!) }),
      decode: async ([number]: Uint8Array) => (drawn.push(number!), { width: 2, height: 2, rgb: new Uint8Array(12) }),
    } as unknown as Decoder,
  );
  for (let i = 0; i < 120; i++) await training.add('vague', i < 60, file(i));
  await training.start('vague');
  while (training.find('vague')) await pause(10);
  const worst = stored!.report.mistakes.slice(0, 24);
  assert.deepEqual(
    drawn,
    worst.map(({ picture }) => picture),
  );
  const { data, info } = await sharp(stored!.mistakes).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [1200, 800]);
  for (const [i, { score }] of worst.entries()) {
    const at = ((Math.floor(i / 6) * 200 + 97) * info.width + (i % 6) * 200 + 97) * 3;
    assert.equal(data[at + 2]! > data[at]!, score > 0, `cell ${i}`);
  }
});

/** Bytes without a pattern. */
function vagueEmbedding(number: number): Uint8Array {
  return Uint8Array.from(
    { length: EMBEDDING_LENGTH },
    (_, k) => Math.imul(k + 1 + EMBEDDING_LENGTH * number, 0x9e3779b1) >>> 24,
  );
}
