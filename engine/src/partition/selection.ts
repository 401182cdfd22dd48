import type { ImageNumber } from './partition.ts';

/** The pictures that a search is restricted to, as plain data for other threads. */
export type Selection = ListedImages | MarkedImages;

/** Few pictures in their range. */
interface ListedImages {
  readonly count: number;
  /** Ascending. */
  readonly images: Uint32Array;
}

/** Many pictures in their range: a bit for each number. */
export interface MarkedImages {
  readonly count: number;
  readonly lowest: ImageNumber;
  /** The bit of a picture is bit (image - lowest) mod 32 of word (image - lowest) / 32. */
  readonly bits: Uint32Array;
}

/** Words of bits for each picture, above which a list is smaller by far. */
const MAX_WORDS_PER_PICTURE = 4;

/** @param images  each once, in any order */
export function selectionOf(images: Uint32Array | readonly ImageNumber[]): Selection {
  return selected(images instanceof Uint32Array ? images : Uint32Array.from(images));
}

function selected(images: Uint32Array): Selection {
  const count = images.length;
  let lowest = 0xffffffff;
  let highest = 0;
  for (let i = 0; i < count; i++) {
    const image = images[i];
    if (image < lowest) lowest = image;
    if (image > highest) highest = image;
  }
  const words = count === 0 ? 0 : Math.floor((highest - lowest) / 32) + 1;
  if (count === 0 || words > MAX_WORDS_PER_PICTURE * count) return { count, images: images.slice().sort() };
  const bits = new Uint32Array(words);
  for (let i = 0; i < count; i++) bits[(images[i] - lowest) >>> 5] |= 1 << ((images[i] - lowest) & 31);
  return { count, lowest, bits };
}

/** The selection after one picture has come or has been removed. @param isThere  whether it is selected from then on */
export function selectionWith(selection: Selection, image: ImageNumber, isThere: boolean): Selection {
  if (isAmong(selection, image) === isThere) return selection;
  const count = selection.count + (isThere ? 1 : -1);
  if ('bits' in selection && image >= selection.lowest) {
    const { lowest, bits } = selection;
    const word = (image - lowest) >>> 5;
    const words = Math.max(bits.length, word + 1);
    if (words <= MAX_WORDS_PER_PICTURE * count) {
      const changed = new Uint32Array(words);
      changed.set(bits);
      changed[word]! ^= 1 << ((image - lowest) & 31);
      return { count, lowest, bits: changed };
    }
  }
  const others = imagesOf(selection).filter((each) => each !== image);
  return selectionOf(isThere ? [...others, image] : others);
}

/** Ascending; not to be changed. */
export function imagesOf(selection: Selection): Uint32Array {
  if ('images' in selection) return selection.images;
  const { count, lowest, bits } = selection;
  const images = new Uint32Array(count);
  for (let word = 0, n = 0; word < bits.length; word++) {
    for (let left = bits[word]; left !== 0; left &= left - 1) {
      images[n++] = lowest + 32 * word + 31 - Math.clz32(left & -left);
    }
  }
  return images;
}

export function isAmong(selection: Selection, image: ImageNumber): boolean {
  if ('images' in selection) return selection.images.includes(image);
  const at = image - selection.lowest;
  return at >= 0 && (selection.bits[at >>> 5] & (1 << (at & 31))) !== 0;
}
