import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { proseBlocks, sentencesOf, wordsOf } from './sentences.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MOST_WORDS = 18;

const pages = [
  'README.md',
  'DESIGN.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'RELEASING.md',
  'client/README.md',
  'benchmarks/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const sentencesIn = (markdown: string): string[] => proseBlocks(markdown).flatMap(sentencesOf);

function meanWords(sentences: string[]): number {
  return sentences.map(wordsOf).reduce((sum, words) => sum + words, 0) / Math.max(1, sentences.length);
}

for (const page of pages) {
  test(`${page} has at most ${MOST_WORDS} words a sentence on average`, () => {
    const sentences = sentencesIn(readFileSync(join(root, page), 'utf8'));
    const longest = sentences.sort((a, b) => wordsOf(b) - wordsOf(a)).slice(0, 5);
    const mean = meanWords(sentences);
    assert.ok(mean <= MOST_WORDS, `${mean.toFixed(1)} words; the longest sentences:\n${longest.join('\n')}`);
  });
}

test('the README has at most 600 words', () => {
  const words = readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length;
  assert.ok(words <= 600, `${words} words`);
});

test('sentences end at points, question marks and exclamation marks', () => {
  assert.deepEqual(sentencesOf('One. Two! Is this three? “Yes.” Four'), [
    'One.',
    'Two!',
    'Is this three?',
    '“Yes.”',
    'Four',
  ]);
  assert.deepEqual(sentencesOf('It is fast (see the table). The rest is slow.'), [
    'It is fast (see the table).',
    'The rest is slow.',
  ]);
});

test('points inside numbers, names of files and abbreviations end nothing', () => {
  for (const one of [
    'Node 20.9 reads server.ts and e.g. TIFF files.',
    'Some formats, e.g. BMP, i.e. the plain ones, etc. are read.',
    'P. L. Rosin measured corners, cf. Fig. 3.',
    'A pause … and it goes on, see docs/api.md for more.',
  ]) {
    assert.deepEqual(sentencesOf(one), [one]);
  }
});

test('tables, code, headings, pictures and comments are left out', () => {
  const page = `# A heading of four words

One two
three. Four.

| a table | with words |
| --- | --- |
| of several | rows. Or more. |

\`\`\`sh
npm start # Not a sentence. Not at all.
\`\`\`

    indented code. It is no prose.

![A picture. It has words](picture.jpg) <!-- a comment. Of two sentences -->
`;
  assert.deepEqual(sentencesIn(page), ['One two three.', 'Four.']);
});

test('each item of a list ends a sentence, and its further lines belong to it', () => {
  assert.deepEqual(sentencesIn('Causes:\n\n- one, and\n  some more\n- **two**\n1. three. Four\n'), [
    'Causes:',
    'one, and some more',
    'two',
    'three.',
    'Four',
  ]);
});

test('inline code and addresses are one word, a link is its text', () => {
  const [sentence] = sentencesIn(
    'Call `npm run docs -- --check` or read [the whole page](docs/a.md) at http://host:80/a.b.\n',
  );
  assert.equal(wordsOf(sentence!), 9);
});

test('a page of long sentences is refused, whatever its line breaks', () => {
  const long = Array.from({ length: 24 }, (_, i) => `word${i}`).join('\n');
  assert.ok(meanWords(sentencesIn(`${long}.\n\n${long}.`)) > MOST_WORDS);
  assert.equal(meanWords(sentencesIn('Six words are in this one.')), 6);
});
