/** How far a feature may lie from where the map puts it, in pixels of the wider of the two features' levels. */
const TOLERANCE_PIXELS: f64 = 3;
/** By what factor its scale may differ … */
const MAX_SCALE_RATIO: f64 = 1.6;
/** … and the cosine by which its direction may: 28 degrees. */
const MIN_ANGLE_COSINE: f64 = 0.883;
/** More axes than this on different sides are no likeness. */
const MAX_HAMMING_DISTANCE: u32 = 22;
const SUBPIXEL_STEPS: f64 = 64;
const SCALE_TABLE_OFFSET = 256;

/**
 * For each feature of a reference the most alike of a scene's features that lie where a map puts it, rotated and scaled so;
 * of equal ones the first in the order of the scene.
 *
 * @param map        9 float64, reference to scene
 * @param keypoints  n × (x, y in 1/64 pixel, uint16; angle, level + 16, uint8)
 * @param signs      n × uint64
 * @param scene      width, height in pixels, the side of a square, float64; columns, rows, int32; the places of its `starts`
 *                   (columns × rows + 1 uint32: which feature each square begins with) and of its features, uint32.
 *                   A feature has 32 bytes: scale, float64; signs, uint64; x, y, float32; angle, number, uint32
 * @param tables     256 float64: cosines of i/256 of a circle, then 256: the scale of level i - 16
 * @param quota      2 features are compared this often at most; what is left of the reference then has none
 * @param out        n uint32: the number of the feature | the bits that differ << 16; all bits set for none; then how
 *                   often features were compared, uint32
 * @returns how many were found
 */
export function partners(
  map: usize,
  keypoints: usize,
  signs: usize,
  n: i32,
  scene: usize,
  tables: usize,
  quota: u32,
  out: usize,
): i32 {
  const m0 = load<f64>(map);
  const m1 = load<f64>(map, 8);
  const m3 = load<f64>(map, 24);
  const m4 = load<f64>(map, 32);
  const m6 = load<f64>(map, 48);
  const m7 = load<f64>(map, 56);
  const width = load<f64>(scene);
  const height = load<f64>(scene, 8);
  const square = load<f64>(scene, 16);
  const columns = load<i32>(scene, 24);
  const rows = load<i32>(scene, 28);
  const starts = <usize>load<u32>(scene, 32);
  const features = <usize>load<u32>(scene, 36);
  let found = 0;
  let compared: u32 = 0;
  for (let i: usize = 0; i < <usize>n; i++) {
    store<i32>(out + (i << 2), -1);
    if (compared >= quota) continue;
    const keypoint = keypoints + 6 * i;
    const x = <f64>load<u16>(keypoint) / SUBPIXEL_STEPS;
    const y = <f64>load<u16>(keypoint, 2) / SUBPIXEL_STEPS;
    const w = m6 * x + m7 * y + load<f64>(map, 64);
    const px = (m0 * x + m1 * y + load<f64>(map, 16)) / w;
    const py = (m3 * x + m4 * y + load<f64>(map, 40)) / w;
    if (!(px >= 0 && py >= 0 && px <= width && py <= height)) continue;
    // the map's derivative there
    const a = (m0 - px * m6) / w;
    const b = (m1 - px * m7) / w;
    const c = (m3 - py * m6) / w;
    const d = (m4 - py * m7) / w;
    const scale = scaleOf(tables, load<u8>(keypoint, 5)) * sqrt(abs(a * d - b * c));
    if (!(scale < Infinity)) continue;
    const cos = cosine(tables, load<u8>(keypoint, 4));
    const sin = cosine(tables, <u32>load<u8>(keypoint, 4) + 192);
    const ux = a * cos + b * sin;
    const uy = c * cos + d * sin;
    const least = MIN_ANGLE_COSINE * sqrt(ux * ux + uy * uy);
    const most = TOLERANCE_PIXELS * MAX_SCALE_RATIO * scale;
    const left = <i32>max<f64>(0, floor((px - most) / square));
    const right = <i32>min<f64>(columns - 1, floor((px + most) / square));
    const bottom = <i32>min<f64>(rows - 1, floor((py + most) / square));
    const own = load<u64>(signs + (i << 3));
    let best: u32 = 0;
    let distance: u32 = MAX_HAMMING_DISTANCE + 1;
    for (let row = <i32>max<f64>(0, floor((py - most) / square)); row <= bottom; row++) {
      const line = starts + 4 * <usize>(columns * row);
      const first = load<u32>(line + 4 * <usize>left);
      const last = load<u32>(line + 4 * <usize>(right + 1));
      compared += last > first ? last - first : 0;
      const end = features + 32 * <usize>last;
      for (let at = features + 32 * <usize>first; at < end; at += 32) {
        const off = <u32>popcnt<u64>(own ^ load<u64>(at, 8));
        if (off >= distance) continue;
        const wide = load<f64>(at);
        if (wide > MAX_SCALE_RATIO * scale || scale > MAX_SCALE_RATIO * wide) continue;
        const dx = <f64>load<f32>(at, 16) - px;
        const dy = <f64>load<f32>(at, 20) - py;
        const reach = TOLERANCE_PIXELS * max(wide, scale);
        if (dx * dx + dy * dy > reach * reach) continue;
        const angle = load<u32>(at, 24);
        if (ux * cosine(tables, angle) + uy * cosine(tables, angle + 192) < least) continue;
        best = load<u32>(at, 28);
        distance = off;
      }
    }
    if (distance > MAX_HAMMING_DISTANCE) continue;
    store<u32>(out + (i << 2), best | (distance << 16));
    found++;
  }
  store<u32>(out + 4 * <usize>n, compared);
  return found;
}

// @ts-ignore: decorator
@inline
function cosine(tables: usize, angle: u32): f64 {
  return load<f64>(tables + ((<usize>(angle & 255)) << 3));
}

// @ts-ignore: decorator
@inline
function scaleOf(tables: usize, level: u32): f64 {
  return load<f64>(tables + ((<usize>level) << 3), 8 * SCALE_TABLE_OFFSET);
}
