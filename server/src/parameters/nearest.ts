/** The one of these names that a misspelt one is most likely meant to be, if any is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const most = name.length < 5 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const each of names) {
    if (Math.abs(each.length - name.length) > most || name.length > 64) continue;
    const edits = editsBetween(name.toLowerCase(), each.toLowerCase());
    if (edits < least) [best, least] = [each, edits];
  }
  return best;
}

/** Insertions, removals and replacements that make one text the other (V. I. Levenshtein 1966). */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    above = row;
  }
  return above[b.length]!;
}
