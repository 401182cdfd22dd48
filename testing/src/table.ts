export type Cell = string | number;

/** A markdown table; the first column is left-aligned, the others right. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const rule = line(heads.map((_, i) => (i === 0 ? ':--' : '--:')));
  return [line(heads), rule, ...rows.map(line)].join('\n');
}

/** `digits` after the point; a dash where there is no number. */
export function figure(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
