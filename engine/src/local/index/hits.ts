/**
 * Postings close to the words of a query, in a row and three numbers each: the entry of the query | the Hamming
 * distance << 16, the slot, the place in the picture. Sorted by entry.
 */
export type Hits = Uint32Array;

/** Largest Hamming distance, of 64, at which two features may be the same. */
export const REACH = 20;
