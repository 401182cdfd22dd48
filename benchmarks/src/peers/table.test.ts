import assert from 'node:assert/strict';
import { test } from 'node:test';

type WithPeers = (page: string, results: readonly object[]) => Promise<string>;
const script = new URL('../../../scripts/peers-table.mjs', import.meta.url).href;
const { withPeers } = (await import(script)) as { withPeers: WithPeers };

const marks = ['<!-- from benchmarks/results/peers.json by npm run docs -->', '<!-- end of the table -->'] as const;
const page = `# A\n\n${marks[0]}\n\nold\n\n${marks[1]}\n\nB\n`;
const result = {
  file: 'peers',
  commit: 'abcdef1',
  options: { references: 1000, queries: 60, strangers: 100 },
  tables: {
    found: [
      { found: 'mirrored', Sosia: 0.996, SIFT: 0.5 },
      { found: 'cropped to 50 %', Sosia: 1, SIFT: 0.9 },
    ],
    costs: [
      { figure: 'wrong answers', Sosia: 0, SIFT: 2 },
      { figure: 'bytes', Sosia: 14092.4, SIFT: 8.04 },
    ],
  },
};

test('the table of the page is that of the last result, with its commit', async () => {
  const made = await withPeers(page, [result]);
  assert.deepEqual(
    made
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.replace(/\s+/g, ' ')),
    [
      '| found and decided | Sosia | SIFT |',
      '| ----------------- | -----: | ---: |',
      '| mirrored | 1.00 | 0.50 |',
      '| wrong answers | 0 | 2 |',
      '| bytes | 14,092 | 8.0 |',
    ],
  );
  assert.match(made, /\n1000 references, 60 queries a kind, 100 that show no reference; measured at abcdef1\.\n/);
  assert.ok(!made.includes('old') && made.endsWith('\nB\n'));
  assert.equal(await withPeers(made, [result]), made);
});

test('without a result the page keeps its table, and a page without marks is refused', async () => {
  assert.equal(await withPeers(page, []), page);
  await assert.rejects(withPeers('# A\n', [result]), /lacks/);
});
