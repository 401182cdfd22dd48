/** CIE 1976 L*a*b*, with the white of D65: another measure than the engine's own, to judge it by. */
export type CieLab = readonly [L: number, a: number, b: number];

export function cielab(red: number, green: number, blue: number): CieLab {
  const [r, g, b] = [red, green, blue].map((byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** ΔE of 1976. */
export function deltaE(p: CieLab, q: CieLab): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

export function cielabOf(rgb: number): CieLab {
  return cielab(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
}
