import { oneOf, type Random } from './random.ts';

/**
 * Letters as strokes in a box of 4 × 6, so that lettering is the same on machines with other fonts or none.
 */
const letters: Readonly<Record<string, string>> = {
  A: 'M0 6L2 0L4 6M1 4H3',
  C: 'M4 1Q2-1 .5 1.5V4.5Q2 7 4 5',
  E: 'M4 0H0V6H4M0 3H3',
  H: 'M0 0V6M4 0V6M0 3H4',
  I: 'M2 0V6',
  K: 'M0 0V6M4 0L0 3L4 6',
  L: 'M0 0V6H4',
  M: 'M0 6V0L2 3L4 0V6',
  N: 'M0 6V0L4 6V0',
  O: 'M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0',
  R: 'M0 6V0H3Q5 1.5 3 3H0M2 3L4 6',
  S: 'M4 .5Q1-1 .3 1.5Q.5 3 2 3Q4 3 4 4.5Q3 7 0 5.5',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V4Q0 6 2 6Q4 6 4 4V0',
  W: 'M0 0L1 6L2 2L3 6L4 0',
};

/** One line of words of `length` letters as SVG; (x, y) is its upper left corner, `size` the height of a letter. */
export function line(random: Random, length: number, x: number, y: number, size: number, colour: string): string {
  const unit = size / 6;
  const names = Object.keys(letters);
  let paths = '';
  for (let i = 0; i < length; i++) {
    const gap = i % 7 === 6;
    if (!gap) paths += `<path transform="translate(${i * 5.6} 0)" d="${letters[oneOf(random, names)]}"/>`;
  }
  const place = `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${unit.toFixed(4)})`;
  return `<g transform="${place}" fill="none" stroke="${colour}" stroke-width="1.1">${paths}</g>`;
}

/** How many letters of this size fit in a width. */
export function lettersIn(width: number, size: number): number {
  return Math.max(1, Math.floor(width / ((5.6 * size) / 6)));
}

export function drawing(width: number, height: number, content: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);
}
