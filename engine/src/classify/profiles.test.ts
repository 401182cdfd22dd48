import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mirrored, painted, photographs, toned } from '../../test/pictures.ts';
import { PlainPictureError } from '../errors.ts';
import { EMBEDDING_LENGTH, embeddingOf, EMBEDDING_PARTS } from './embedding.ts';
import { likeness } from './likeness.ts';
import { openProfile, ProfileError, profileScoreOf, writeProfile } from './profile.ts';
import { fit } from './ridge.ts';
import { shippedProfiles } from './shipped.ts';
import { train } from './training.ts';

const checks = (side: number, light: number) =>
  embeddingOf(painted(96, 96, (x, y) => Array(3).fill((Math.floor(x / side) + Math.floor(y / side)) % 2 ? light : 30)));
const stripes = (side: number, light: number) =>
  embeddingOf(painted(96, 96, (x) => Array(3).fill(Math.floor(x / side) % 2 ? light : 30)));
const many = (draw: typeof checks) => Array.from({ length: 12 }, (_, i) => draw(3 + i, 150 + 7 * i));

test('the embedding is a block of fixed length, the same for the same pixels', () => {
  for (const picture of photographs.slice(0, 3)) {
    const embedding = embeddingOf(picture);
    assert.equal(embedding.length, EMBEDDING_LENGTH);
    assert.deepEqual(embeddingOf(picture), embedding);
    assert.ok(embedding.filter((byte) => byte > 0).length > EMBEDDING_LENGTH / 4);
  }
  assert.notDeepEqual(embeddingOf(toned(photographs[0], 0.5, 0)), embeddingOf(photographs[0]));
});

test('a profile learns what parts two kinds, for pictures it has not seen', () => {
  const { profile, report } = train('checks', many(checks), many(stripes));
  assert.equal(report.balancedAccuracy, 1);
  assert.ok(profileScoreOf(profile, checks(8, 200)) > 0.3);
  assert.ok(profileScoreOf(profile, stripes(8, 200)) < -0.3);
});

test('equal classes cannot be separated, and the report shows that', () => {
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
  const kernel = Float64Array.from(
    rows.flatMap((a) => rows.map((b) => a.reduce((sum, value, k) => sum + value * b[k], 0))),
  );
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

test('every shipped profile separates photographs and pages', () => {
  const names = shippedProfiles().map(({ name }) => name);
  assert.deepEqual(names, ['photograph', 'document']);
  const scores = photographs
    .slice(0, 3)
    .map((picture) => shippedProfiles().map((each) => profileScoreOf(each, embeddingOf(picture))));
  for (const [photograph, document] of scores) assert.ok(photograph > document, `${photograph} and ${document}`);
});

test('a mirrored picture has the same embedding, another picture has not', () => {
  const apart = (a: Uint8Array, b: Uint8Array): number =>
    a.reduce((sum, value, k) => sum + (value - b[k]) * (value - b[k]), 0);
  for (const picture of photographs.slice(0, 4)) {
    const embedding = embeddingOf(picture);
    const away = apart(embedding, embeddingOf(mirrored(picture)));
    assert.ok(away < apart(embedding, embeddingOf(photographs[5])) / 20, `${away}`);
  }
});

test('pictures of any shape and plain ones have an embedding, tiny ones have not', () => {
  const plain = embeddingOf(painted(40, 40, () => [200, 30, 30]));
  assert.ok(plain.every((byte) => byte === 128));
  for (const [width, height] of [
    [8, 8],
    [900, 9],
    [9, 900],
  ]) {
    const embedding = embeddingOf(painted(width, height, (x, y) => Array(3).fill((x * y * 37) % 256)));
    assert.ok(
      embedding.some((byte) => byte !== 128),
      `${width} x ${height}`,
    );
  }
  assert.throws(() => embeddingOf(painted(7, 40, () => [0, 0, 0])), PlainPictureError);
});

test('learning does not depend on the size of one part of the embedding', () => {
  const embedding = many(checks);
  const { products, scales } = likeness(embedding);
  const spread = embedding.reduce((sum, _, i) => sum + products[i * embedding.length + i], 0) / embedding.length;
  const shares = EMBEDDING_PARTS.filter(({ from }) => scales[from] > 0).map(({ share }) => share);
  assert.ok(Math.abs(spread - shares.reduce((a, b) => a + b)) < 1e-9, `${spread}`);
});

test('where the classes overlap as many of either are mistaken, however few one has', () => {
  const { report } = train('rare', many(stripes).slice(0, 10), [...many(checks), ...many(stripes), ...many(checks)]);
  const wrong = (fits: boolean): number =>
    report.mistakes.filter(({ picture }) => picture < 10 === fits).length / (fits ? 10 : 36);
  assert.ok(wrong(true) > 0 && wrong(false) > 0);
  assert.ok(Math.abs(wrong(true) - wrong(false)) <= 0.1, `${wrong(true)} and ${wrong(false)}`);
  assert.ok(report.area > 0.5 && report.area < 1);
});
