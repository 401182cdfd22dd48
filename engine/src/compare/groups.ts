/** Groups of pixels by label. */
export interface Groups {
  readonly count: number;
  /** The number of the group, from 1 on; 0 where there is none. */
  readonly labels: Uint32Array;
}

/** Numbers the connected groups of pixels that are not 0, from 1 on in the order of their first pixel. */
export function connected(marked: Float32Array, width: number, height: number): Groups {
  const labels = new Uint32Array(marked.length);
  const open: number[] = [];
  let count = 0;
  for (let start = 0; start < marked.length; start++) {
    if (!marked[start] || labels[start]) continue;
    labels[start] = ++count;
    open.push(start);
    while (open.length > 0) {
      const i = open.pop()!;
      const x = i % width;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (i >= width) visit(i - width);
      if (i < width * (height - 1)) visit(i + width);
    }
  }
  return { count, labels };

  function visit(i: number): void {
    if (!marked[i] || labels[i]) return;
    labels[i] = count;
    open.push(i);
  }
}

/** What the pixels of a group add up to. */
export class RegionTotals {
  left = Infinity;
  top = Infinity;
  right = 0;
  bottom = 0;
  area = 0;
  mass = 0;
  peak = 0;
  sure = false;

  add(x: number, y: number, value: number, sure: boolean): void {
    if (sure) this.sure = true;
    this.left = Math.min(this.left, x);
    this.top = Math.min(this.top, y);
    this.right = Math.max(this.right, x + 1);
    this.bottom = Math.max(this.bottom, y + 1);
    this.area++;
    this.mass += value;
    this.peak = Math.max(this.peak, value);
  }

  /** Pixels of the smallest box around the group. */
  get box(): number {
    return Math.max(0, this.right - this.left) * Math.max(0, this.bottom - this.top);
  }
}
