/**
 * Samples a miniature at the cells of another one, through a homography. Miniatures have cells of 4 bits, the first of two in
 * the low half of a byte.
 *
 * @param map      nine float64, row by row, from cells of the grid to cells of the other miniature
 * @param grid     the w × h cells of the miniature that has the grid
 * @param other    the ow × oh cells of the other one
 * @param samples  places along each side of a cell
 * @param rim      width of what is left out along the border of either, in cells
 * @param out      w × h float64, the cells of the grid; then as many: the mean of the other one over each cell, NaN where it does not
 *                 reach
 * @returns how many cells it reaches
 */
export function commonGrid(
  map: usize,
  grid: usize,
  w: i32,
  h: i32,
  other: usize,
  ow: i32,
  oh: i32,
  samples: i32,
  rim: i32,
  out: usize,
): i32 {
  const n = w * h;
  const values = out + ((<usize>n) << 3);
  for (let i = 0; i < n; i++) {
    store<f64>(out + ((<usize>i) << 3), cell(grid, i));
    store<f64>(values + ((<usize>i) << 3), NaN);
  }
  const least = <f64>rim;
  const right = <f64>(ow - rim);
  const bottom = <f64>(oh - rim);
  let covered = 0;
  for (let y = rim; y < h - rim; y++) {
    for (let x = rim; x < w - rim; x++) {
      let sum: f64 = 0;
      let count = 0;
      for (let k = 0; k < samples * samples; k++) {
        const px = <f64>x + place(k % samples, samples);
        const py = <f64>y + place(k / samples, samples);
        const scale = load<f64>(map, 48) * px + load<f64>(map, 56) * py + load<f64>(map, 64);
        const u = (load<f64>(map) * px + load<f64>(map, 8) * py + load<f64>(map, 16)) / scale;
        const v = (load<f64>(map, 24) * px + load<f64>(map, 32) * py + load<f64>(map, 40)) / scale;
        if (!(scale > 0 && u >= least && v >= least && u <= right && v <= bottom)) break;
        sum += bilinear(other, ow, oh, u, v);
        count++;
      }
      if (count < samples * samples) continue;
      store<f64>(values + ((<usize>(w * y + x)) << 3), sum / <f64>count);
      covered++;
    }
  }
  return covered;
}

/** One place is the middle, which needs no division. */
// @ts-ignore: decorator
@inline
function place(k: i32, samples: i32): f64 {
  return samples == 1 ? 0.5 : (<f64>k + 0.5) / <f64>samples;
}

// @ts-ignore: decorator
@inline
function cell(packed: usize, i: i32): f64 {
  return <f64>((load<u8>(packed + ((<usize>i) >> 1)) >> (<u8>(i & 1) << 2)) & 15);
}

function bilinear(packed: usize, width: i32, height: i32, u: f64, v: f64): f64 {
  const x = min(max(u - 0.5, 0), <f64>(width - 1));
  const y = min(max(v - 0.5, 0), <f64>(height - 1));
  const left = <i32>x;
  const top = <i32>y;
  const right = min(left + 1, width - 1);
  const upper = width * top;
  const lower = width * min(top + 1, height - 1);
  const across = x - <f64>left;
  const above = mix(cell(packed, upper + left), cell(packed, upper + right), across);
  const below = mix(cell(packed, lower + left), cell(packed, lower + right), across);
  return mix(above, below, y - <f64>top);
}

// @ts-ignore: decorator
@inline
function mix(a: f64, b: f64, share: f64): f64 {
  return a + share * (b - a);
}
