import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { typeDefinitions } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';

const bin = fileURLToPath(new URL('../../bin/sosia.js', import.meta.url));
const picture = join(samplesFolder, 'kodim01.jpg');
const home = mkdtempSync(join(tmpdir(), 'sosia-dna-'));
after(() => rmSync(home, { recursive: true }));

test('sosia dna prints the requested side, as canonical base64, and writes the same bytes to a file', () => {
  const definition = typeDefinitions['mobile-matching'];
  for (const side of ['query', 'reference'] as const) {
    const words = [bin, 'dna', picture, '--type', 'mobile-matching', '--side', side];
    const printed = execFileSync(process.execPath, words, { encoding: 'utf8' });
    const dna = Buffer.from(printed, 'base64');
    assert.equal(`${dna.toString('base64')}\n`, printed);
    definition.checkDna(dna, side);
    assert.throws(() => definition.checkDna(dna, side === 'query' ? 'reference' : 'query'));
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

test('sosia dna leaves a plain background out on request', () => {
  const file = join(home, 'studio.bmp');
  const side = 40;
  const pixels = Buffer.alloc(3 * side * side, 0xf0);
  for (let y = 10; y < 30; y++) for (let x = 10; x < 30; x++) pixels.set([0x10, 0x10, 0xd0], 3 * (y * side + x));
  writeFileSync(file, Buffer.concat([bitmapHeader(side), pixels]));
  const colorsWith = (...more: string[]): string[] => {
    const words = [bin, 'dna', file, '--type', 'color-similarity', ...more];
    const dna = Buffer.from(execFileSync(process.execPath, words, { encoding: 'utf8' }), 'base64');
    return typeDefinitions['color-similarity'].colors!.of(dna).map(({ rgb }) => rgb.toString(16));
  };
  assert.deepEqual(colorsWith(), ['f0f0f0', 'd01010']);
  assert.deepEqual(colorsWith('--ignore-background'), ['d01010']);
});

/** The head of a BMP file of 24 bits a pixel. */
function bitmapHeader(side: number): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + 3 * side * side, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(side, 18);
  head.writeInt32LE(side, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return head;
}
