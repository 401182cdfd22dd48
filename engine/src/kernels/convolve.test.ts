import { test } from 'node:test';
import fc from 'fast-check';
import { assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/convolve.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { planes } from '../../test/planes.ts';

const TAP_REACH_PIXELS = 6;

function convolve({ width, height, values }: Plane, taps: readonly plain.Tap[]): Plane {
  const view = new DataView(new ArrayBuffer(12 * taps.length));
  taps.forEach(({ x, y, weight }, i) => {
    view.setInt32(12 * i, x, true);
    view.setInt32(12 * i + 4, y, true);
    view.setFloat32(12 * i + 8, weight, true);
  });
  const out = floatsOf(values.length, (workspace, out) => {
    const held = workspace.put(new Uint8Array(view.buffer));
    const scratch = workspace.take(4 * (width + 2 * TAP_REACH_PIXELS + 4) * (height + 2 * TAP_REACH_PIXELS));
    workspace.kernels.convolve(workspace.put(values), width, height, held, taps.length, TAP_REACH_PIXELS, out, scratch);
  });
  return { width, height, values: out };
}

const off = fc.integer({ min: -TAP_REACH_PIXELS, max: TAP_REACH_PIXELS });
const tap = fc.record({ x: off, y: off, weight: fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8) });

test('it equals its plain twin, for any size and any places', () => {
  fc.assert(
    fc.property(planes(1, 40), fc.array(tap, { maxLength: 8 }), (plane, taps) => {
      assertPlane(convolve(plane, taps).values, plain.convolve(plane, taps), 1e-3);
    }),
  );
});

test('the pixel to the right moves a picture to the left; its border repeats', () => {
  const ramp = drawn(20, 3, (x) => x);
  assertPlane(
    convolve(ramp, [{ x: 1, y: 0, weight: 1 }]).values,
    drawn(20, 3, (x) => Math.min(19, x + 1)),
    0,
  );
});
