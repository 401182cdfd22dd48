/** Twin of assembly/largest.ts. */
export function largest(values: readonly number[], most: number): number[] {
  const places = values.map((_, i) => i);
  return places.sort((a, b) => values[b] - values[a] || a - b).slice(0, most);
}
