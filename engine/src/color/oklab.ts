/**
 * A colour as people see it: L from 0 (black) to 1 (white), a from green to red, b from blue to yellow. A distance of
 * 0.02 is just noticeable.
 *
 * B. Ottosson, "A perceptual color space for image processing", 2020.
 */
export type Lab = readonly [L: number, a: number, b: number];

/** @param red, green, blue  sRGB, 0 to 255 */
export function oklab(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [linear[red], linear[green], linear[blue]];
  const l = cubeRoot(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = cubeRoot(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = cubeRoot(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

export function distance(p: Lab, q: Lab): number {
  const [dL, da, db] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
  return Math.sqrt(dL * dL + da * da + db * db);
}

/**
 * Newton's steps from 1 in plain arithmetic, the same bits on every machine, which `Math.cbrt` does not guarantee.
 * @param value  in [0, 1.1]; below 1e-6 it counts as 0
 */
function cubeRoot(value: number): number {
  if (value < 1e-6) return 0;
  let root = 1;
  for (let i = 0; i < 24; i++) {
    const next = (2 * root + value / (root * root)) / 3;
    if (next === root) break;
    root = next;
  }
  return root;
}

function fifthRoot(value: number): number {
  let root = 1;
  for (let i = 0; i < 60; i++) root = (4 * root + value / (root * root * root * root)) / 5;
  return root;
}

/** Light of each sRGB byte. The exponent 2.4 is a square times a fifth root of a square. */
const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const c = byte / 255;
  const x = (c + 0.055) / 1.055;
  return c <= 0.04045 ? c / 12.92 : x * x * fifthRoot(x * x);
});
