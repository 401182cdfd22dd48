import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, DirtyWorkspace, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/light.ts';
import { planes, sizes } from '../../test/planes.ts';

const factor = fc.integer({ min: -100, max: 100 });

test('a picture in another light equals that of the plain twin', () => {
  const laws = fc.array(factor, { minLength: 21, maxLength: 21 });
  fc.assert(
    fc.property(planes(1, 12), laws, ({ width, height, values }, laws) => {
      const space = new DirtyWorkspace();
      const pixels = width * height;
      const colours = [0.5, -0.3].map((share) => values.map((value) => share * (value - 128)));
      const from = space.put(Float32Array.from([...values, ...colours[0], ...colours[1]]));
      const out = space.take(12 * pixels);
      space.kernels.relight(from, width, height, space.put(Float64Array.from(laws)), out);
      space.assertUnharmed();
      const wanted = Array.from(values, (luma, i) => {
        const [u, v] = [(2 * (i % width) + 1) / width - 1, (2 * Math.floor(i / width) + 1) / height - 1];
        return plain.relit([luma, colours[0][i], colours[1][i]], u, v, laws);
      });
      for (const c of [0, 1, 2] as const)
        assertNear(
          space.floats(out + 4 * pixels * c, pixels),
          wanted.map((pixel) => pixel[c]),
          1e-3,
        );
    }),
  );
});

test('offsets of squares are even between their centres, like those of the plain twin', () => {
  fc.assert(
    fc.property(sizes(1, 30), fc.integer({ min: 3, max: 12 }), fc.nat(20), ({ width, height }, side, seed) => {
      const columns = Math.ceil(width / side);
      const offsets = Array.from({ length: columns * Math.ceil(height / side) }, (_, k) => ((k * 7 + seed) % 13) - 6);
      const shaded = floatsOf(width * height, (space, out) => {
        space.floats(out, width * height).fill(100);
        space.kernels.shade(out, width, height, side, space.put(Float32Array.from(offsets)), space.take(4 * columns));
      });
      const wanted = shaded.map(
        (_, i) => 100 + plain.shadeAt(i % width, Math.floor(i / width), side, columns, offsets),
      );
      assertNear(shaded, wanted, 1e-4);
    }),
  );
});

test('offsets of squares are medians of what counts, as far as they may go', () => {
  const cases = fc.tuple(planes(1, 30), fc.integer({ min: 3, max: 12 }), fc.nat(100), fc.integer({ min: 2, max: 5 }));
  fc.assert(
    fc.property(cases, ([{ width, height, values }, side, shift, share]) => {
      const target = values.map((value, i) => value + ((i * 31) % 23) + (shift % 31) - 26);
      const inside = Uint8Array.from(values, (_, i) => Number(i % share !== 0));
      const columns = Math.ceil(width / side);
      const medians = floatsOf(columns * Math.ceil(height / side), (space, out) => {
        const [from, to, counted] = [space.put(values), space.put(target), space.put(inside)];
        space.kernels.squareMedians(from, to, counted, width, height, side, 6, out, space.take(4 * side * side));
      });
      const wanted = medians.map((_, square) => {
        const found: number[] = [];
        const [left, top] = [(square % columns) * side, Math.floor(square / columns) * side];
        for (let y = top; y < Math.min(top + side, height); y += 3)
          for (let x = left; x < Math.min(left + side, width); x += 3)
            if (inside[y * width + x]) found.push(target[y * width + x] - values[y * width + x]);
        const middle = found.sort((a, b) => a - b)[found.length >> 1] ?? 0;
        return Math.min(6, Math.max(-6, middle));
      });
      assertNear(medians, wanted, 0);
    }),
  );
});

test('at an end of the scale a value may be as far beyond it as the other one is, for any number of pixels', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 2, 3, 252, 253, 255));
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value), { minLength: 4, maxLength: 20 }), (pixels) => {
      const plane = (k: number): Float32Array => Float32Array.from(pixels, (pixel) => pixel[k]);
      const lit = floatsOf(pixels.length, (space, out) => {
        space.floats(out, pixels.length).set(plane(0));
        space.kernels.unclip(out, space.put(plane(1)), space.put(plane(2)), pixels.length, 2, 253);
      });
      assertNear(
        lit,
        pixels.map(([lit, own, other]) => plain.unclipped(lit, own, other, 2, 253)),
        0,
      );
    }),
  );
});
