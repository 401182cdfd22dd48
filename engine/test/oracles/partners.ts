/** A feature as it lies in its picture; scales and cosines are looked up. */
export interface Lying {
  readonly x: number;
  readonly y: number;
  /** In 1/256 of a circle. */
  readonly angle: number;
  readonly scale: number;
  readonly signs: bigint;
}

/** Twin of assembly/partners.ts: compares every feature of the scene with every one of the reference. */
export function partners(
  map: ArrayLike<number>,
  reference: readonly Lying[],
  scene: readonly Lying[],
  { width, height }: { readonly width: number; readonly height: number },
  cosines: ArrayLike<number>,
) {
  return reference.map(({ x, y, angle, scale: own, signs }) => {
    const w = map[6] * x + map[7] * y + map[8];
    const px = (map[0] * x + map[1] * y + map[2]) / w;
    const py = (map[3] * x + map[4] * y + map[5]) / w;
    if (!(px >= 0 && py >= 0 && px <= width && py <= height)) return undefined;
    const [a, b] = [(map[0] - px * map[6]) / w, (map[1] - px * map[7]) / w];
    const [c, d] = [(map[3] - py * map[6]) / w, (map[4] - py * map[7]) / w];
    const scale = own * Math.sqrt(Math.abs(a * d - b * c));
    const [cos, sin] = [cosines[angle], cosines[(angle + 192) & 255]];
    const [ux, uy] = [a * cos + b * sin, c * cos + d * sin];
    let best: { number: number; distance: number } | undefined;
    scene.forEach((one, number) => {
      const distance = ones(one.signs ^ signs);
      const reach = 3 * Math.max(one.scale, scale);
      const [dx, dy] = [one.x - px, one.y - py];
      const along = ux * cosines[one.angle] + uy * cosines[(one.angle + 192) & 255];
      if (one.scale > 1.6 * scale || scale > 1.6 * one.scale || dx * dx + dy * dy > reach * reach) return;
      if (along < 0.883 * Math.sqrt(ux * ux + uy * uy) || distance > 22) return;
      if (!best || distance < best.distance) best = { number, distance };
    });
    return best;
  });
}

function ones(word: bigint): number {
  let n = 0;
  for (let rest = word; rest > 0n; rest &= rest - 1n) n++;
  return n;
}
