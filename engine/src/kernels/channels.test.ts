import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/channels.ts';

function channels(rgb: Uint8Array): Float32Array {
  const n = rgb.length / 3;
  return floatsOf(3 * n, (workspace, out) => workspace.kernels.channels(workspace.put(rgb), n, out));
}

test('grey has no colour, blue and red the most there is', () => {
  const [white, blue, red] = [0, 1, 2].map((i) =>
    [0, 1, 2].map((c) => channels(Uint8Array.of(255, 255, 255, 0, 0, 255, 255, 0, 0))[3 * c + i]),
  );
  assertNear(white, [255, 0, 0], 1e-3);
  assertNear(blue, [29.07, 127.5, -20.655], 1e-3);
  assertNear(red, [76.245, -43.095, 127.5], 1e-3);
});

test('it equals its plain twin, plane by plane', () => {
  const pixels = fc.array(fc.tuple(...Array.from({ length: 3 }, () => fc.nat(255))), { maxLength: 12 });
  fc.assert(
    fc.property(pixels, (pixels) => {
      const rows = pixels.map(([red, green, blue]) => plain.channels(red, green, blue));
      assertNear(
        channels(Uint8Array.from(pixels.flat())),
        [0, 1, 2].flatMap((c) => rows.map((row) => row[c])),
        1e-4,
      );
    }),
  );
});
