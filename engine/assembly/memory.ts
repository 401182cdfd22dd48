let heap: usize = 0;
let closed: bool = false;

/** Memory for the caller, never given back. All of it is allocated before `allocateRest`. */
export function allocate(bytes: usize): usize {
  if (closed) unreachable();
  const at = heap ? heap : (__heap_base + 15) & ~15;
  heap = (at + bytes + 15) & ~15;
  reserve(heap);
  return at;
}

/** The memory above all that was allocated; more of it is made by `reserve`. */
export function allocateRest(): usize {
  const at = allocate(0);
  closed = true;
  return at;
}

/** Makes the memory reach to `end` at least. */
export function reserve(end: usize): void {
  const have = (<usize>memory.size()) << 16;
  if (end <= have) return;
  const pages = <i32>((end - have + 0xffff) >> 16);
  if (memory.grow(max(pages, <i32>min<usize>(have >> 21, 1024))) < 0 && memory.grow(pages) < 0) unreachable();
}
