import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from './database.ts';
import {
  beginGeneration,
  generationAfter,
  newIdentity,
  readIdentity,
  sameGeneration,
  writeIdentity,
} from './identity.ts';
import { applicationSchema, imageSchema } from './schema.ts';

test('two copies of a folder begin generations of one number that differ', () => {
  const [one, other] = [generationAfter(3), generationAfter(3)];
  assert.deepEqual([one.count, other.count], [4, 4]);
  assert.ok(!sameGeneration(one, other));
  assert.ok(sameGeneration(one, { ...one }));
  assert.ok(!sameGeneration({ ...one, count: 5 }, one));
});

test('a number that images.db alone has is not given again, but one of a change that was interrupted is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-identity-'));
  const applications = openDatabase(join(folder, 'applications.db'), applicationSchema);
  const images = openDatabase(join(folder, 'images.db'), imageSchema);
  const own = newIdentity(3);
  const highestAfter = (announced: Pick<typeof own, 'next'>, ofImages: typeof own.generation): number => {
    writeIdentity(applications, { ...own, ...announced });
    writeIdentity(images, { ...own, generation: ofImages, applications: 9 });
    beginGeneration(applications, images);
    const [one, other] = [readIdentity(applications), readIdentity(images)];
    assert.ok(sameGeneration(one.generation, other.generation));
    return one.applications;
  };
  const announced = generationAfter(own.generation.count);
  assert.equal(highestAfter({}, own.generation), 9);
  assert.equal(highestAfter({ next: announced }, announced), 3);
  applications.close();
  images.close();
  rmSync(folder, { recursive: true });
});

test('a new folder begins with its first generation, unfinished, and each one has a name of its own', () => {
  const [one, other] = [newIdentity(3), newIdentity(3)];
  const { folder, generation, ...rest } = one;
  assert.match(folder, /^[0-9a-f]{32}$/);
  assert.match(generation.nonce, /^[0-9a-f]{16}$/);
  assert.equal(generation.count, 1);
  assert.deepEqual(rest, { unfinished: true, applications: 3, changes: 0 });
  assert.notEqual(folder, other.folder);
});
