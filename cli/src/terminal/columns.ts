/** Escape sequences that a terminal takes for colours and does not show. */
const sequence = /\x1b\[[\d;]*m/g;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const without = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns a text takes on a terminal: East Asian letters and emoji take two, accents of their own none. */
export function columnsOf(text: string): number {
  return [...text.replace(sequence, '')].reduce((sum, letter) => sum + columnOf(letter), 0);
}

function columnOf(letter: string): number {
  return without.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
}

/** Shortens a text that takes more columns in its middle, where file names differ least. */
export function cut(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  const letters = [...text];
  const tail = ending(letters, Math.floor((most - 1) / 2));
  const head = ending(letters.toReversed(), most - 1 - columnsOf(tail));
  return `${[...head].reverse().join('')}…${tail}`;
}

/** The last letters that take no more than so many columns. */
function ending(letters: readonly string[], most: number): string {
  let start = letters.length;
  for (let left = most; start > 0 && columnOf(letters[start - 1]!) <= left; start--)
    left -= columnOf(letters[start - 1]!);
  return letters.slice(start).join('');
}

/** Followed by blanks up to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** In lines of at most so many columns, broken at blanks. */
export function wrapped(text: string, most: number): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (columnsOf(longer) <= most || lines.at(-1) === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}
