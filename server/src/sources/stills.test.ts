import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEWEST_STILLS, SAMPLE_SIDE, SAMPLES_PER_SECOND, Stills, STILLS_PER_HOUR } from './stills.ts';

/** A picture of its own for each number, shifted by some pixels. */
function sample(number: number, shift = 0): Uint8Array {
  const value = (x: number, y: number): number =>
    128 + 100 * Math.sin(number + (x * (2 + (number % 7))) / 9 + (y * (1 + (number % 5))) / 7);
  return Uint8Array.from({ length: SAMPLE_SIDE ** 2 }, (_, i) => value((i % SAMPLE_SIDE) + shift, i / SAMPLE_SIDE));
}

const black = new Uint8Array(SAMPLE_SIDE ** 2).fill(16);

function timesOf(samples: Iterable<Uint8Array>): number[] {
  const stills = new Stills();
  for (const each of samples) stills.add(each);
  return stills.chosen();
}

const repeated = (of: Uint8Array, seconds: number): Uint8Array[] =>
  new Array<Uint8Array>(seconds * SAMPLES_PER_SECOND).fill(of);

test('each shot has a still, a picture that rests one each 10 seconds, and one that shows nothing none', () => {
  const shots = [
    repeated(black, 2),
    repeated(sample(1), 3),
    repeated(sample(2), 25),
    repeated(black, 12),
    repeated(sample(3), 2),
  ];
  assert.deepEqual(timesOf(shots.flat()), [2, 5, 15, 25, 42]);
  assert.deepEqual(timesOf([sample(1)]), [0]);
  assert.deepEqual(timesOf(repeated(black, 30)), []);
  const striped = (least: number) =>
    repeated(
      black.map((_, i) => (i % 2 === 0 ? 100 : 100 + least)),
      2,
    );
  assert.deepEqual([timesOf(striped(7)), timesOf(striped(8))], [[], [0]]); // standard deviations of 3.5 and 4
});

test('brightness and contrast are no change; a camera that moves on is one', () => {
  const dimmed = sample(1).map((value) => 20 + value / 3);
  assert.deepEqual(timesOf([...repeated(sample(1), 2), ...repeated(dimmed, 2)]), [0]);
  const pan = Array.from({ length: 8 * SAMPLES_PER_SECOND }, (_, i) => sample(4, i / 8));
  const times = timesOf(pan);
  assert.ok(times.length > 2 && times.length < 10, String(times));
});

test('a picture that never rests is kept after a second', () => {
  const times = timesOf(Array.from({ length: 10 * SAMPLES_PER_SECOND }, (_, i) => sample(i)));
  assert.ok(times.length >= 6 && times.length <= 10, String(times));
});

test('where there are too many, those that resemble an earlier one are left out', () => {
  const shots = (count: number, of: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => repeated(sample(of(i)), 2));
  const twoFaces = timesOf([...shots(40, (i) => i % 2), ...shots(10, (i) => 10 + i)].flat());
  assert.equal(twoFaces.length, FEWEST_STILLS);
  for (let i = 0; i < 10; i++) assert.ok(twoFaces.includes(80 + 2 * i), `shot ${i} has a still`);
  const hour = timesOf(shots(1800, (i) => i).flat());
  assert.equal(hour.length, STILLS_PER_HOUR);
});
