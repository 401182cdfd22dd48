/** What values lie in around a pixel: its own, the largest and the smallest. */
export interface Range {
  readonly value: number;
  readonly top: number;
  readonly bottom: number;
}

/** Twin of assembly/unexplained.ts, for one pixel. */
export function unexplained(one: Range, other: Range, free: number, share: number, weight: number): number {
  const there = Math.max(one.value - other.top, other.bottom - one.value);
  const back = Math.max(other.value - one.top, one.bottom - other.value);
  const contrast = Math.min(one.top - one.bottom, other.top - other.bottom);
  const excess = weight * Math.max(0, Math.max(there, back) - free - share * contrast);
  return excess * excess;
}
