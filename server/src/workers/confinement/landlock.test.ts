import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictestRuleset } from './landlock.ts';

test('a ruleset handles all that a version of Landlock can take away', () => {
  const fields = (version: number) => {
    const bytes = strictestRuleset(version);
    return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readBigUInt64LE(8 * i));
  };
  const byVersion = [
    [0x1fffn],
    [0x3fffn],
    [0x7fffn],
    [0x7fffn, 3n],
    [0xffffn, 3n],
    [0xffffn, 3n, 3n],
    [0xffffn, 3n, 3n],
  ];
  byVersion.forEach((expected, i) => assert.deepEqual(fields(i + 1), expected, `version ${i + 1}`));
  assert.deepEqual(fields(20), fields(6));
});
