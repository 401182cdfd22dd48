/** Where the next slot goes that gets its first vote. */
let voted: usize = 0;

/** Before votes are given: where slots go that get their first, behind `count` of them. */
export function openVotes(slots: usize, count: u32): void {
  voted = slots + 4 * <usize>count;
}

/** How many slots have votes. */
export function votedSince(slots: usize): u32 {
  return <u32>((voted - slots) >> 2);
}

export function gainOf(entry: usize, nearness: usize, off: u32): u32 {
  return (load<u32>(entry, 8) * load<u16>(nearness + 2 * <usize>off)) >> 6;
}

export function give(given: usize, slot: u32, giver: u32, gain: u32): void {
  if (gain == 0) return;
  const at = given + 8 * <usize>slot;
  const last = load<u32>(at);
  if (last == 0) {
    store<u32>(voted, slot);
    voted += 4;
  }
  if ((last & 0xffff) != giver) {
    store<u32>(at, giver | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain, 4);
  } else if (gain > last >> 16) {
    store<u32>(at, giver | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain - (last >> 16), 4);
  }
}

/**
 * Keeps the most votes of all variants, and clears those of this one.
 *
 * @param given  as `vote` left it
 * @param slots  with votes in this variant
 * @param count  of these slots
 * @param best   uint32 for each slot
 * @param every  the slots with votes in a variant before, each once, and room for the others
 * @param known  of these
 * @returns how many slots `every` has afterwards
 */
export function keepMost(given: usize, slots: usize, count: u32, best: usize, every: usize, known: u32): u32 {
  for (let i: usize = 0; i < <usize>count; i++) {
    const slot = <usize>load<u32>(slots + 4 * i);
    const votes = load<u32>(given + 8 * slot, 4);
    store<u64>(given + 8 * slot, 0);
    const before = load<u32>(best + 4 * slot);
    if (before == 0) {
      store<u32>(every + 4 * <usize>known, <u32>slot);
      known++;
    }
    if (votes > before) store<u32>(best + 4 * slot, votes);
  }
  return known;
}
