/** Keys are 8 bits. */
export const KEY_COUNT: u32 = 256;

/** Keys by the number of their bits. */
export const masks = memory.data(256, 16);
/** How many have at most so many. */
export const within = memory.data(36, 4);

/** Fills both tables. Once in an instance's life. */
export function openMasks(): void {
  let at = masks;
  for (let bits: u32 = 0; bits <= 8; bits++) {
    for (let mask: u32 = 0; mask < KEY_COUNT; mask++) if (popcnt(mask) == bits) store<u8>(at++, <u8>mask);
    store<u32>(within + 4 * <usize>bits, <u32>(at - masks));
  }
}
