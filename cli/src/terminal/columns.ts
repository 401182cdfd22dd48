import stringWidth from 'string-width';

/** The columns of a text on a terminal: East Asian letters and emoji take two, combining accents none. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/**
 * Shortens a text that takes more columns in its middle, where file names differ least. The package cli-truncate returns a wider
 * text where a wide letter is at the cut.
 */
export function cut(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  const letters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  const tail = fitting(letters.toReversed(), Math.floor((most - 1) / 2)).reverse();
  const head = fitting(letters, most - 1 - columnsOf(tail.join('')));
  return `${head.join('')}…${tail.join('')}`;
}

const segmenter = new Intl.Segmenter('en');

/** The first letters that fit into so many columns. */
function fitting(letters: readonly string[], most: number): string[] {
  let left = most;
  const end = letters.findIndex((letter) => (left -= columnsOf(letter)) < 0);
  return letters.slice(0, end);
}

/** The text padded with blanks to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}
