/** Pictures verified at once. A search decides after each batch whether it goes on. */
export const BATCH_PICTURES = 50;

/** Pictures that one search verifies at most; of exact copies one is verified for all, and none counts. */
export const MAX_VERIFIED = 1000;

/**
 * Work that the verifications of one search may take, see `Effort` in the engine. Searches of the benchmarks need a
 * thirtieth of it at most, a search that finds 1,000 near-duplicates two thirds. After the batch that exceeds it no
 * further one is compared.
 */
export const MAX_WORK = 300_000_000;
