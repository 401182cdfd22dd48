import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOBODY } from '../workers/confinement/launch.ts';
import { samplesOf } from './ffmpeg.ts';
import { withoutFfmpeg } from './films.test.kit.ts';
import { SAMPLE_SIDE, SAMPLES_PER_SECOND } from './stills.ts';

test('samples are the whole pictures of a film, each from its first pixel', { skip: withoutFfmpeg }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-ffmpeg-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'white.avi');
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=white:s=64x64:d=2', '-c:v', 'mpeg4', path]);
  const film = await open(path);
  t.after(() => film.close());
  let samples = 0;
  for await (const sample of samplesOf(film, { user: NOBODY, signal: new AbortController().signal })) {
    samples++;
    assert.equal(sample.length, SAMPLE_SIDE * SAMPLE_SIDE);
    assert.ok(sample.every((grey) => grey > 200));
  }
  assert.equal(samples, 2 * SAMPLES_PER_SECOND);
});
