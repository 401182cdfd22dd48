import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { visible } from './output.ts';
import { photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
before(async () => {
  beside = await startBeside();
});
after(() => beside.close());

/** What a terminal obeys: clears the screen, sets the title, reverses the text. */
const hostile = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202egpj';
const obeyed = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

test('a text is shown whole, and nothing of it is obeyed', () => {
  assert.equal(visible('sea é 海 🙂'), 'sea é 海 🙂');
  assert.equal(visible('a\x1b[31mb\n\u202e'), 'a\\u001b[31mb\\u000a\\u202e');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(!obeyed.test(visible(text)));
      assert.deepEqual(JSON.parse(visible(JSON.stringify(text))), text);
    }),
  );
});

test('names of files, ids, keywords and messages of a server reach the terminal with their escape characters visible', async () => {
  const folder = join(beside.home, 'pictures');
  mkdirSync(folder, { recursive: true });
  cpSync(photograph(1), join(folder, `${hostile}.jpg`));
  writeFileSync(join(folder, `text${hostile}`), 'no picture');
  writeFileSync(join(folder, `broken${hostile}.jpg`), 'no picture');
  const key = beside.application();
  let shown = 0;
  for (const words of [
    ['import', 'pictures', '--dry-run'],
    ['import', 'pictures', '--dry-run', '--json'],
    ['import', 'pictures', '--report', 'report'],
    ['delete', hostile],
    ['search', join('pictures', `broken${hostile}.jpg`), join('pictures', `text${hostile}`)],
    ['search', `nowhere${hostile}.jpg`],
    ['search', '--id', hostile],
    ['search', '--keywords', hostile],
    ['classify', `nowhere${hostile}`],
    ['verify', `nowhere${hostile}`],
    ['backup', `pictures/${hostile}.jpg`, '--data', beside.data],
    ['app', 'show', hostile, '--data', beside.data],
    ['app', 'create', '--type', hostile, '--name', 'a', '--data', beside.data],
    [`command${hostile}`],
    ['status', `--${hostile}`],
    ['status', '--modify-url', `http://${hostile}`],
  ]) {
    const { out, err } = await beside.sosia(key, ...words);
    assert.ok(!obeyed.test(out + err), `${words.join(' ')}: ${JSON.stringify(out + err)}`);
    if (/\\u001b\[2J/.test(out + err)) shown++;
  }
  assert.ok(shown >= 10, `${shown} of them showed the name`);
});

test('everything is written by the functions that make control characters visible', () => {
  const sources = fileURLToPath(new URL('../../src', import.meta.url));
  const writing = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.includes('.test.') &&
      /process\.std(out|err)\.write|console\./.test(readFileSync(join(sources, name), 'utf8')),
  );
  // a key, DNA in base64, the ports as JSON, and scripts that hold no foreign text
  assert.deepEqual(writing.sort(), [
    'commands/app/app.ts',
    'commands/completion/completion.ts',
    'commands/dna.ts',
    'commands/serve.ts',
    'terminal/output.ts',
    'terminal/table.ts',
  ]);
});
