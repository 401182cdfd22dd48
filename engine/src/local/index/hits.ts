/** Largest Hamming distance, of 64, at which two features may be the same. */
export const REACH = 20;
