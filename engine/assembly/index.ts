export { similarities, vectorSimilarities } from './similarities';
export { measureMixture, mixtures } from './mixtures';
export { channels } from './channels';
export { extremes } from './extremes';
export { warp } from './warp';
export { luma } from './luma';
export { pdq } from './pdq';
export { nearHashes } from './near-hashes';
export { means } from './means';
export { resample } from './resample';
export { smooth } from './smooth';
export { fourier } from './fourier';
export { lineSpectra } from './line-spectra';
export { blockCoefficients } from './block-coefficients';
export { latticeStrength } from './lattice';
export { convolve } from './convolve';
export { corners } from './corners';
export { peaks } from './peaks';
export { largest } from './largest';
export { clearance } from './clearance';
export { consensus } from './consensus';
export { partners } from './partners';
export { commonGrid } from './common-grid';
export { correlations } from './correlations';
export { tone } from './tone';
export { agreement } from './agreement';
export { orientations } from './orientations';
export { describe } from './descriptor';
export { project } from './project';
export { pool } from './pool';
export { unexplained } from './unexplained';
export { products } from './products';
export { unpack, words, wordsBothWays } from './words';
export { terms } from './terms';
export { chain, hits, unchain, votesOf } from './hits';
export { allocate } from './memory';
export { insert, openLists, settle, spare, sweep, usedBytes } from './lists';
export { accept, baseAt, bufferAt, bufferedPostings, freeze, restore, settledPostings, tableAt, thaw } from './lists';
export { vote } from './list-votes';
export { keepMost } from './votes';
export { scores, select } from './scores';
export { arrive, arrivingTableAt, beginMerging, expect, mainAt, mainBytes, mainTableAt, merge, openMain } from './main-lists';
export { acceptMain, layMain, spareInMain, sweepMain, usedByMain } from './main-lists';
export { voteInMain } from './main-list-votes';

/** The first byte of memory that belongs to the caller. */
export function memoryBase(): usize {
  return __heap_base;
}
