/** Twin of assembly/pdq.ts: every mean and every coefficient by its definition. */
export function pdq(rgb: Uint8Array, width: number, height: number): { coefficients: number[]; quality: number } {
  let plane = Array.from({ length: width * height }, (_, i) => {
    const [red, green, blue] = rgb.subarray(3 * i);
    return Math.fround(0.299 * red + 0.587 * green + 0.114 * blue);
  });
  const at = (x: number, y: number): number => plane[y * width + x];
  const each = (value: (x: number, y: number) => number): number[] =>
    Array.from({ length: width * height }, (_, i) => Math.fround(value(i % width, Math.floor(i / width))));
  for (let pass = 0; pass < 2; pass++) {
    plane = each((x, y) => mean(x, width, (i) => at(i, y)));
    plane = each((x, y) => mean(y, height, (i) => at(x, i)));
  }
  const centre = (i: number, side: number): number => Math.floor(((i + 0.5) * side) / 64);
  const sample = (x: number, y: number): number => at(centre(x, width), centre(y, height));
  let steps = 0;
  for (let i = 0; i < 64; i++)
    for (let j = 0; j < 63; j++)
      for (const difference of [sample(j, i) - sample(j + 1, i), sample(i, j) - sample(i, j + 1)])
        steps += Math.floor(Math.abs(Math.fround((Math.fround(difference) * 100) / 255)));
  const wave = (i: number, k: number): number => Math.cos((Math.PI / 128) * (i + 1) * (2 * k + 1));
  const columns = Array.from({ length: 16 }, (_, i) =>
    Array.from({ length: 64 }, (_, x) => sum(64, (k) => wave(i, k) * sample(x, k))),
  );
  const coefficients = columns.flatMap((row) =>
    Array.from({ length: 16 }, (_, j) => sum(64, (k) => wave(j, k) * row[k])),
  );
  return { coefficients, quality: Math.min(100, Math.floor(steps / 90)) };
}

function mean(i: number, n: number, value: (i: number) => number): number {
  const window = Math.ceil(n / 128);
  const [first, last] = [Math.max(0, i - Math.floor((window - 1) / 2)), Math.min(n - 1, i + Math.floor(window / 2))];
  return sum(last - first + 1, (k) => value(first + k)) / (last - first + 1);
}

function sum(n: number, term: (k: number) => number): number {
  return Array.from({ length: n }, (_, k) => term(k)).reduce((a, b) => a + b, 0);
}
