import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsUnder } from './steps.ts';

const page = [
  '# A page\n\n## Your change: a thing\n\nAn example.\n',
  '1. **Write.** Write `a/b.ts` with\n   `npm run docs`. Call `name`.',
  '2. **Check.** `c.ts` is there.\n\nMore, see `d/e.ts`.\n\n## Other\n\n1. **No.** `f.ts`\n',
].join('\n');

test('the steps of one section, in their order', () => {
  assert.deepEqual(
    stepsUnder('Your change', page).map(({ title }) => title),
    ['Write', 'Check'],
  );
  assert.deepEqual(stepsUnder('Your third change', page), []);
});

test('files and commands that were not used are named, and one that the step does not name is refused', () => {
  const [write, check] = stepsUnder('Your change', page);
  assert.deepEqual(write!.unused, ['a/b.ts', 'npm run docs']);
  assert.equal(write!.named('a/b.ts'), 'a/b.ts');
  assert.deepEqual(write!.unused, ['npm run docs']);
  assert.deepEqual(check!.unused, ['c.ts']);
  assert.throws(() => check!.named('a/b.ts'), /"Check" does not name a\/b\.ts/);
});
