import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingDetail, SPECTRUM_BANDS, spectrumOf } from './spectrum.ts';

/** Waves with the spectrum of photographs, up to half a cycle a pixel of the sampling. */
function scene(side: number, finest: number): Float32Array {
  const waves = Array.from({ length: 60 }, (_, i) => ({ frequency: (i + 1) * 2, phase: i * 2.4 })).filter(
    ({ frequency }) => frequency <= finest,
  );
  return Float32Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [(at % side) / side, Math.floor(at / side) / side];
    const circle = 2 * Math.PI;
    return (
      128 +
      waves.reduce(
        (sum, { frequency, phase }) =>
          sum +
          (60 / frequency) * (Math.cos(circle * frequency * x + phase) + Math.cos(circle * frequency * y + phase)),
        0,
      )
    );
  });
}
const spectrum = (side: number, finest: number) =>
  spectrumOf({ width: side, height: side, values: scene(side, finest) });

test('a wave is in the band of its frequency', () => {
  const values = Float32Array.from(
    { length: 128 * 128 },
    (_, i) => 100 + 50 * Math.cos((2 * Math.PI * 16 * (i % 128)) / 128),
  );
  const found = spectrumOf({ width: 128, height: 128, values });
  assert.equal(found.length, SPECTRUM_BANDS);
  assert.equal(found.indexOf(Math.max(...found)), 8);
});

test('an enlarged picture lacks the finest detail of the smaller one; an original has it', () => {
  const small = spectrum(128, 64);
  assert.ok(missingDetail(spectrum(192, 64), small, 1.5) > 0);
  assert.ok(missingDetail(spectrum(192, 96), small, 1.5) < 0);
});

test('a picture smaller than a window has no spectrum', () => {
  assert.deepEqual(
    spectrumOf({ width: 20, height: 20, values: new Float32Array(400) }),
    new Array(SPECTRUM_BANDS).fill(0),
  );
});
