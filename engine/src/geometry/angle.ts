/**
 * Cosines of i/256 of a circle, i = 0 … 255, by halving angles and then rotating step by step: square roots and products are
 * the same on every machine, `Math.cos` need not be.
 */
export const cosines: Float64Array = (() => {
  let cos = 0; // of a right angle
  for (let halvings = 0; halvings < 6; halvings++) cos = Math.sqrt((1 + cos) / 2);
  const sin = Math.sqrt(1 - cos * cos);
  const table = new Float64Array(256);
  let [x, y] = [1, 0];
  for (let i = 0; i < 64; i++) {
    table[i] = x;
    table[128 - i] = -x;
    table[128 + i] = -x;
    table[(256 - i) & 255] = x;
    [x, y] = [x * cos - y * sin, x * sin + y * cos];
  }
  return table;
})();

export function sine(angle: number): number {
  return cosines[(angle + 192) & 255];
}
