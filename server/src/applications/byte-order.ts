/**
 * The order of two texts by their UTF-8 bytes, which is the order of their code points. JavaScript compares UTF-16
 * units, which puts U+10000 and above before U+E000. Both texts must be well-formed.
 * @returns negative, 0 or positive, as for `sort`
 */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves the surrogates (D800 to DFFF), which encode code points above U+FFFF, behind all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
