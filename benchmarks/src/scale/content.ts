import type { Entry } from '@sosia/server/applications/catalogue/catalogue';

/** Made up: an id of about 20 bytes, not in the order of the numbers, and keywords of half, a tenth and a thousandth. */
export function entryOf(i: number): Entry {
  const scattered = (Math.imul(i, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  const keywords = [`half ${i % 2}`, `tenth ${(7 * i) % 10}`, `thousandth ${(13 * i) % 1000}`];
  return { number: i + 1, id: `shop/${scattered}-${i}`, keywords };
}
