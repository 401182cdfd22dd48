/** Largest Hamming distance, of 64, at which two features may be the same. */
export const MAX_HAMMING_DISTANCE = 20;
