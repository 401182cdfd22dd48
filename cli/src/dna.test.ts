import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recipes } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';

const bin = fileURLToPath(new URL('../bin/sosia.js', import.meta.url));
const picture = join(samplesFolder, 'kodim01.jpg');
const home = mkdtempSync(join(tmpdir(), 'sosia-dna-'));
after(() => rmSync(home, { recursive: true }));

test('sosia dna prints the side that is asked for, as canonical base64, and writes the same bytes to a file', () => {
  const recipe = recipes['mobile-matching']!;
  for (const side of ['query', 'reference'] as const) {
    const words = [bin, 'dna', picture, '--type', 'mobile-matching', '--side', side];
    const printed = execFileSync(process.execPath, words, { encoding: 'utf8' });
    const dna = Buffer.from(printed, 'base64');
    assert.equal(`${dna.toString('base64')}\n`, printed);
    recipe.checkDna(dna, side);
    assert.throws(() => recipe.checkDna(dna, side === 'query' ? 'reference' : 'query'));
    const out = join(home, `${side}.dna`);
    assert.equal(execFileSync(process.execPath, [...words, '--out', out], { encoding: 'utf8' }), '');
    assert.deepEqual(readFileSync(out), dna);
  }
});

test('sosia dna says what is wrong with a file that is no picture, and ends with 1', () => {
  const words = [bin, 'dna', fileURLToPath(import.meta.url), '--type', 'media-matching'];
  const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^sosia: /);
  assert.equal(stdout, '');
});
