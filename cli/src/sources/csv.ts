/** Rows of a CSV text (RFC 4180): commas, cells in double quotes where they hold commas, quotes or lines. Empty lines are passed over. */
export function readCsv(text: string): { cells: string[]; line: number }[] {
  const rows: { cells: string[]; line: number }[] = [];
  const token = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y;
  const source = text.replace(/^\uFEFF/, '');
  let cells: string[] = [];
  let [line, start] = [1, 1];
  while (token.lastIndex < source.length) {
    const found = token.exec(source);
    if (!found) throw new Error(`line ${line}: a quote is out of place`);
    const [, cell, end] = found as unknown as [string, string, string];
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    line += found[0].split(/\r\n|\n|\r/).length - 1;
    if (end === ',' && token.lastIndex < source.length) continue;
    if (end === ',') cells.push('');
    if (cells.some((each) => each !== '')) rows.push({ cells, line: start });
    [cells, start] = [[], line];
  }
  return rows;
}
