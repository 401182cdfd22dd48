import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, photographs, toned } from '../pixels/edits.test.kit.ts';
import { LOOKS, looksOf } from './looks.ts';
import { openProfile, ProfileError, scoreOf, writeProfile } from './profile.ts';
import { fit, products } from './ridge.ts';
import { shippedProfiles } from './shipped.ts';
import { train } from './training.ts';

const checks = (side: number, light: number) =>
  looksOf(painted(96, 96, (x, y) => Array(3).fill((Math.floor(x / side) + Math.floor(y / side)) % 2 ? light : 30)));
const stripes = (side: number, light: number) =>
  looksOf(painted(96, 96, (x) => Array(3).fill(Math.floor(x / side) % 2 ? light : 30)));
const many = (draw: typeof checks) => Array.from({ length: 12 }, (_, i) => draw(3 + i, 150 + 7 * i));

test('the looks are a block of fixed length, the same for the same pixels', () => {
  for (const picture of photographs.slice(0, 3)) {
    const looks = looksOf(picture);
    assert.equal(looks.length, LOOKS);
    assert.deepEqual(looksOf(picture), looks);
    assert.ok(looks.filter((byte) => byte > 0).length > LOOKS / 4);
  }
  assert.notDeepEqual(looksOf(toned(photographs[0], 0.5, 0)), looksOf(photographs[0]));
});

test('a profile learns what parts two kinds, for pictures it has not seen', () => {
  const { profile, report } = train('checks', many(checks), many(stripes));
  assert.equal(report.balancedAccuracy, 1);
  assert.ok(scoreOf(profile, checks(8, 200)) > 0.3);
  assert.ok(scoreOf(profile, stripes(8, 200)) < -0.3);
});

test('classes that are the same cannot be told apart, and the report says so', () => {
  const { report } = train('nothing', many(checks), many(checks));
  assert.ok(report.balancedAccuracy <= 0.6, `${report.balancedAccuracy}`);
  assert.ok(report.mistakes.length >= 8);
  const sizes = report.mistakes.map(({ score }) => Math.abs(score));
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
});

test('the dual solution is the ridge regression: without a ridge it goes through the samples', () => {
  const rows = [
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 1],
  ].map((row) => Float64Array.from(row));
  const positive = [true, false, true];
  const kernel = products(rows);
  const { alphas, bias } = fit(kernel, positive, [0, 1, 2], 1e-9);
  rows.forEach((_, i) => {
    const score = bias + alphas.reduce((sum, alpha, j) => sum + alpha * kernel[3 * i + j], 0);
    assert.ok(Math.abs(score - (positive[i] ? 1 : -1)) < 1e-6, `${score}`);
  });
});

test('a block is read as it was written, and no other block is', () => {
  const [profile] = shippedProfiles();
  const block = writeProfile(profile);
  assert.deepEqual(openProfile(block), profile);
  for (const at of [0, 4, 5, 6, 8, 500, block.length - 6, block.length - 1]) {
    const damaged = block.slice();
    damaged[at] ^= 1;
    assert.throws(() => openProfile(damaged), ProfileError, `byte ${at}`);
  }
  assert.throws(() => openProfile(block.subarray(0, -1)), ProfileError);
  assert.throws(() => openProfile(new Uint8Array()), ProfileError);
});

test('every shipped profile knows a photograph from a page', () => {
  const names = shippedProfiles().map(({ name }) => name);
  assert.deepEqual(names, ['photograph', 'document']);
  const scores = photographs
    .slice(0, 3)
    .map((picture) => shippedProfiles().map((each) => scoreOf(each, looksOf(picture))));
  for (const [photograph, document] of scores) assert.ok(photograph > document, `${photograph} and ${document}`);
});
