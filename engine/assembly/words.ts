/**
 * Unpacks projected descriptors to floats, in units of the projection.
 *
 * @param codes  n × 32 bytes as `project` writes them
 * @param step   64 floats; a negative step negates an axis, which is how a mirrored picture is described
 * @param out    n × 64 floats
 */
export function unpack(codes: usize, n: i32, step: usize, out: usize): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < 32; j++) {
      const byte = <i32>load<u8>(codes + <usize>(32 * i + j));
      const to = out + <usize>(256 * i + 8 * j);
      const s = step + <usize>(8 * j);
      store<f32>(to, (<f32>(byte & 15) - <f32>7.5) * load<f32>(s));
      store<f32>(to, (<f32>(byte >> 4) - <f32>7.5) * load<f32>(s, 4), 4);
    }
  }
}

/** Centroids of either half. */
const CENTROID_COUNT = 256;
const ROW_BYTES: usize = 4 * CENTROID_COUNT;
/** Vectors compared while a strip of the centroids is in the cache. */
const VECTORS_PER_GROUP = 16;
const distances = memory.data(16 * 4 * 2 * 256, 16); // of a group, half by half
const mirroredDistances = memory.data(16 * 4 * 2 * 256, 16);
const columns = memory.data(64, 16);

/**
 * The visual words of descriptors, and their signature inside each word.
 *
 * A word is a pair of centroids, one for axes 0 to 31 and one for axes 32 to 63: word = 256 · a + b (A. Babenko,
 * V. Lempitsky, "The inverted multi-index", CVPR 2012). The signature has a bit for each axis: whether the descriptor lies above the
 * median of the training descriptors of that centroid (H. Jégou, M. Douze, C. Schmid, "Hamming embedding and weak geometric consistency for large scale image
 * search", ECCV 2008).
 *
 * @param vectors    n × 64 floats
 * @param centroids  2 × 32 × 256 floats: [half][axis][centroid]
 * @param norms      2 × 256 floats: half the squared length of each centroid
 * @param medians    2 × 256 × 32 floats: [half][centroid][axis]
 * @param most       up to 4: the nearest words among the pairs of the three nearest centroids of either half
 * @param out        n × most × (word as uint32, how far it is as float32, signature as uint64), nearest first
 */
export function words(
  vectors: usize,
  n: i32,
  centroids: usize,
  norms: usize,
  medians: usize,
  most: i32,
  out: usize,
): void {
  for (let start = 0; start < n; start += VECTORS_PER_GROUP) {
    const group = min(VECTORS_PER_GROUP, n - start);
    const first = vectors + <usize>(256 * start);
    for (let half: usize = 0; half < 2; half++) {
      const own = ROW_BYTES * half;
      for (let strip = own; strip < own + ROW_BYTES; strip += 64) {
        const column = centroids + 31 * own + strip;
        for (let k = 0; k < group; k += 2) {
          const vector = first + 128 * half + <usize>(256 * k);
          compare(
            vector,
            k + 1 < group ? vector + 256 : vector,
            column,
            norms + strip,
            distances + 2 * ROW_BYTES * <usize>k + strip,
          );
        }
      }
    }
    for (let k = 0; k < group; k++) {
      const far = distances + 2 * ROW_BYTES * <usize>k;
      if (most == 1) {
        one(far, 0);
        one(far + ROW_BYTES, 3);
      } else {
        three(far, 0);
        three(far + ROW_BYTES, 3);
      }
      choose(first + <usize>(256 * k), medians, most, out + <usize>(16 * most * (start + k)));
    }
  }
}

/**
 * The words of descriptors and of their mirror images: equal to those of `words`, but for rounding.
 *
 * Benefit: hardly slower than the words of one of the two.
 * Correctness: the mirror image differs in the sign of the odd axes, so the sums over even and over odd axes serve both.
 *
 * @param mirrored     the mirror images of `vectors`, n × 64 floats
 * @param odd          64 bytes, not 0 for the axes that the mirror negates
 * @param mirroredOut  like `out`
 */
export function wordsBothWays(
  vectors: usize,
  mirrored: usize,
  n: i32,
  centroids: usize,
  norms: usize,
  medians: usize,
  odd: usize,
  most: i32,
  out: usize,
  mirroredOut: usize,
): void {
  for (let start = 0; start < n; start += VECTORS_PER_GROUP) {
    const group = min(VECTORS_PER_GROUP, n - start);
    const first = <usize>(256 * start);
    for (let half: usize = 0; half < 2; half++) {
      const own = ROW_BYTES * half;
      for (let strip = own; strip < own + ROW_BYTES; strip += 32) {
        const column = centroids + 31 * own + strip;
        for (let k = 0; k < group; k += 2) {
          const vector = vectors + first + 128 * half + <usize>(256 * k);
          const to = 2 * ROW_BYTES * <usize>k + strip;
          compareBothWays(vector, k + 1 < group ? vector + 256 : vector, column, norms + strip, odd + 32 * half, to);
        }
      }
    }
    for (let k = 0; k < group; k++) {
      const far = 2 * ROW_BYTES * <usize>k;
      const vector = first + <usize>(256 * k);
      const to = <usize>(16 * most * (start + k));
      three(distances + far, 0);
      three(distances + far + ROW_BYTES, 3);
      choose(vectors + vector, medians, most, out + to);
      three(mirroredDistances + far, 0);
      three(mirroredDistances + far + ROW_BYTES, 3);
      choose(mirrored + vector, medians, most, mirroredOut + to);
    }
  }
}

/** Writes the `most` nearest words of a vector, of those that `nearest` has. */
function choose(vector: usize, medians: usize, most: i32, to: usize): void {
  if (most == 1) {
    emit(to, 0, 0, unchecked(far[0]) + unchecked(far[3]), vector, medians);
    return;
  }
  // the nine sums, smallest first; equal sums in order of (a, b)
  let taken = 0;
  for (let k = 0; k < most; k++) {
    let best: f32 = Infinity;
    let bestAt = 0;
    for (let c = 0; c < 9; c++) {
      if (taken & (1 << c)) continue;
      const sum: f32 = unchecked(far[c / 3]) + unchecked(far[3 + (c % 3)]);
      if (sum < best) {
        best = sum;
        bestAt = c;
      }
    }
    taken |= 1 << bestAt;
    emit(to + <usize>(16 * k), bestAt / 3, bestAt % 3, best, vector, medians);
  }
}

const nearest: StaticArray<i32> = [0, 0, 0, 0, 0, 0];
const far: StaticArray<f32> = [0, 0, 0, 0, 0, 0];

/**
 * |c|²/2 - x·c for a strip of 16 centroids of one half: smaller is nearer. Of two vectors at once, so that every number is
 * read for both; the second's follow two rows behind the first's.
 */
function compare(one: usize, other: usize, column: usize, norms: usize, out: usize): void {
  let s0 = v128.load(norms);
  let s1 = v128.load(norms, 16);
  let s2 = v128.load(norms, 32);
  let s3 = v128.load(norms, 48);
  let t0 = s0;
  let t1 = s1;
  let t2 = s2;
  let t3 = s3;
  for (let d: usize = 0; d < 128; d += 4) {
    const x = v128.load32_splat(one + d);
    const y = v128.load32_splat(other + d);
    const c0 = v128.load(column);
    const c1 = v128.load(column, 16);
    const c2 = v128.load(column, 32);
    const c3 = v128.load(column, 48);
    s0 = f32x4.sub(s0, f32x4.mul(x, c0));
    s1 = f32x4.sub(s1, f32x4.mul(x, c1));
    s2 = f32x4.sub(s2, f32x4.mul(x, c2));
    s3 = f32x4.sub(s3, f32x4.mul(x, c3));
    t0 = f32x4.sub(t0, f32x4.mul(y, c0));
    t1 = f32x4.sub(t1, f32x4.mul(y, c1));
    t2 = f32x4.sub(t2, f32x4.mul(y, c2));
    t3 = f32x4.sub(t3, f32x4.mul(y, c3));
    column += ROW_BYTES;
  }
  v128.store(out + 2 * ROW_BYTES, t0);
  v128.store(out + 2 * ROW_BYTES, t1, 16);
  v128.store(out + 2 * ROW_BYTES, t2, 32);
  v128.store(out + 2 * ROW_BYTES, t3, 48);
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}

/** `compare` for a strip of 8 centroids, of two vectors and of their mirror images. */
function compareBothWays(one: usize, other: usize, column: usize, norms: usize, odd: usize, to: usize): void {
  let s0 = v128.load(norms);
  let s1 = v128.load(norms, 16);
  let t0 = s0;
  let t1 = s1;
  let u0 = f32x4.splat(0);
  let u1 = u0;
  let v0 = u0;
  let v1 = u0;
  for (let d: usize = 0; d < 32; d++) {
    const x = v128.load32_splat(one + (d << 2));
    const y = v128.load32_splat(other + (d << 2));
    const c0 = v128.load(column);
    const c1 = v128.load(column, 16);
    if (load<u8>(odd + d)) {
      u0 = f32x4.add(u0, f32x4.mul(x, c0));
      u1 = f32x4.add(u1, f32x4.mul(x, c1));
      v0 = f32x4.add(v0, f32x4.mul(y, c0));
      v1 = f32x4.add(v1, f32x4.mul(y, c1));
    } else {
      s0 = f32x4.sub(s0, f32x4.mul(x, c0));
      s1 = f32x4.sub(s1, f32x4.mul(x, c1));
      t0 = f32x4.sub(t0, f32x4.mul(y, c0));
      t1 = f32x4.sub(t1, f32x4.mul(y, c1));
    }
    column += ROW_BYTES;
  }
  v128.store(distances + 2 * ROW_BYTES + to, f32x4.sub(t0, v0));
  v128.store(distances + 2 * ROW_BYTES + to, f32x4.sub(t1, v1), 16);
  v128.store(mirroredDistances + 2 * ROW_BYTES + to, f32x4.add(t0, v0));
  v128.store(mirroredDistances + 2 * ROW_BYTES + to, f32x4.add(t1, v1), 16);
  v128.store(distances + to, f32x4.sub(s0, u0));
  v128.store(distances + to, f32x4.sub(s1, u1), 16);
  v128.store(mirroredDistances + to, f32x4.add(s0, u0));
  v128.store(mirroredDistances + to, f32x4.add(s1, u1), 16);
}

/**
 * The three nearest of 256 centroids into `nearest` and `far` from index `base` on; equal distances by number. None of them is farther
 * than the third least of the least distances of 16 columns.
 */
function three(from: usize, base: i32): void {
  leastOfColumns(from);
  const limit = f32x4.splat(thirdLeast());
  let d0: f32 = Infinity;
  let d1: f32 = Infinity;
  let d2: f32 = Infinity;
  let i0 = 0;
  let i1 = 0;
  let i2 = 0;
  for (let row: usize = 0; row < ROW_BYTES; row += 64) {
    const a = f32x4.le(v128.load(from + row), limit);
    const b = f32x4.le(v128.load(from + row, 16), limit);
    const c = f32x4.le(v128.load(from + row, 32), limit);
    const d = f32x4.le(v128.load(from + row, 48), limit);
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue;
    let near =
      i32x4.bitmask(a) | (i32x4.bitmask(b) << 4) | (i32x4.bitmask(c) << 8) | (i32x4.bitmask(d) << 12);
    for (; near; near &= near - 1) {
      const at = row + ((<usize>ctz(near)) << 2);
      const centroid = <i32>(at >> 2);
      const distance = load<f32>(from + at);
      if (distance >= d2) continue;
      if (distance < d1) {
        d2 = d1;
        i2 = i1;
        if (distance < d0) {
          d1 = d0;
          i1 = i0;
          d0 = distance;
          i0 = centroid;
        } else {
          d1 = distance;
          i1 = centroid;
        }
      } else {
        d2 = distance;
        i2 = centroid;
      }
    }
  }
  unchecked((nearest[base] = i0));
  unchecked((nearest[base + 1] = i1));
  unchecked((nearest[base + 2] = i2));
  unchecked((far[base] = d0));
  unchecked((far[base + 1] = d1));
  unchecked((far[base + 2] = d2));
}

/** The nearest of 256 centroids, as `three`. */
function one(from: usize, base: i32): void {
  leastOfColumns(from);
  let a = f32x4.pmin(v128.load(columns), v128.load(columns, 16));
  a = f32x4.pmin(a, f32x4.pmin(v128.load(columns, 32), v128.load(columns, 48)));
  a = f32x4.pmin(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  a = f32x4.pmin(a, v128.shuffle<f32>(a, a, 1, 0, 3, 2));
  let at: usize = 0;
  let equal = 0;
  while (!(equal = i32x4.bitmask(f32x4.eq(v128.load(from + at), a)))) at += 16;
  unchecked((nearest[base] = <i32>(at >> 2) + ctz(equal)));
  unchecked((far[base] = f32x4.extract_lane(a, 0)));
}

/** The least of each column of 256 numbers in 16 rows, into `columns`. */
function leastOfColumns(from: usize): void {
  let a = v128.load(from);
  let b = v128.load(from, 16);
  let c = v128.load(from, 32);
  let d = v128.load(from, 48);
  for (let row: usize = 64; row < ROW_BYTES; row += 64) {
    a = f32x4.pmin(a, v128.load(from + row));
    b = f32x4.pmin(b, v128.load(from + row, 16));
    c = f32x4.pmin(c, v128.load(from + row, 32));
    d = f32x4.pmin(d, v128.load(from + row, 48));
  }
  v128.store(columns, a);
  v128.store(columns, b, 16);
  v128.store(columns, c, 32);
  v128.store(columns, d, 48);
}

/** Of `columns`. */
function thirdLeast(): f32 {
  let d0: f32 = Infinity;
  let d1: f32 = Infinity;
  let d2: f32 = Infinity;
  for (let at: usize = 0; at < 64; at += 4) {
    const d = load<f32>(columns + at);
    d2 = min(d2, max(d, d1));
    d1 = min(d1, max(d, d0));
    d0 = min(d0, d);
  }
  return d2;
}

function emit(to: usize, a: i32, b: i32, sum: f32, vector: usize, medians: usize): void {
  const first = unchecked(nearest[a]);
  const second = unchecked(nearest[3 + b]);
  store<u32>(to, CENTROID_COUNT * first + second);
  store<f32>(to, sum, 4);
  const low = above(vector, medians + <usize>(128 * first));
  const high = above(vector + 128, medians + 32 * ROW_BYTES + <usize>(128 * second));
  store<u64>(to, (<u64>low) | ((<u64>high) << 32), 8);
}

/** A bit for each of 32 axes: above the median. */
function above(vector: usize, median: usize): u32 {
  let bits: u32 = 0;
  for (let k: usize = 0; k < 8; k++) {
    const mask = i32x4.bitmask(f32x4.gt(v128.load(vector + 16 * k), v128.load(median + 16 * k)));
    bits |= (<u32>mask) << (4 * <u32>k);
  }
  return bits;
}
