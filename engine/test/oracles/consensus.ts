/** Correspondences as assembly/consensus.ts takes them. */
export interface Correspondences {
  readonly count: number;
  readonly rx: ArrayLike<number>;
  readonly ry: ArrayLike<number>;
  readonly qx: ArrayLike<number>;
  readonly qy: ArrayLike<number>;
  /** In 1/256 of a circle. */
  readonly angle: ArrayLike<number>;
  readonly rScale: ArrayLike<number>;
  readonly qScale: ArrayLike<number>;
}

/** Twin of assembly/consensus.ts: each of the first is compared with all. */
export function consensus(pairs: Correspondences, tried: number, drift: number, cosines: ArrayLike<number>) {
  const numbers = Array.from({ length: pairs.count }, (_, i) => i);
  let best = { number: -1, cells: 1, agree: [] as number[] };
  for (let h = 0; h < Math.min(tried, pairs.count) && best.cells < 40; h++) {
    const agree = numbers.filter((i) => agrees(pairs, h, i, drift, cosines));
    const cells = new Set(agree.map((i) => 44 * Math.floor(pairs.ry[i] / 12) + Math.floor(pairs.rx[i] / 12))).size;
    if (cells > best.cells) best = { number: h, cells, agree };
  }
  return best;
}

/** Whether correspondence `i` agrees with the similarity of number `h`. */
function agrees(
  { rx, ry, qx, qy, angle, rScale, qScale }: Correspondences,
  h: number,
  i: number,
  drift: number,
  cos: ArrayLike<number>,
): boolean {
  if (((angle[i] - angle[h] + 20) & 255) > 40) return false;
  const ratio = qScale[h] / rScale[h];
  const scale = ratio * rScale[i];
  if (qScale[i] > 2 * scale || scale > 2 * qScale[i]) return false;
  const [a, b] = [ratio * cos[angle[h]], ratio * cos[(angle[h] + 192) & 255]];
  const ex = a * rx[i] - b * ry[i] + (qx[h] - a * rx[h] + b * ry[h]) - qx[i];
  const ey = b * rx[i] + a * ry[i] + (qy[h] - b * rx[h] - a * ry[h]) - qy[i];
  const [dx, dy] = [qx[i] - qx[h], qy[i] - qy[h]];
  const reach = 3 * (1 + Math.max(scale, qScale[i]));
  return ex * ex + ey * ey <= reach * reach + drift * drift * (dx * dx + dy * dy);
}
