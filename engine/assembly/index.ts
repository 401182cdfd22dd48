export { looks } from './looks';
export { luma } from './luma';
export { resample } from './resample';
export { smooth } from './smooth';
export { corners } from './corners';
export { peaks } from './peaks';
export { clearance } from './clearance';
export { orientations } from './orientations';
export { describe } from './descriptor';
export { project } from './project';
export { unpack, words } from './words';
export { claim, insert, merge, near, openLists, spare, sweep, usedBytes } from './postings';

/** The first byte of memory that belongs to the caller. */
export function memoryBase(): usize {
  return __heap_base;
}
