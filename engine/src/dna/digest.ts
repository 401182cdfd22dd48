/**
 * 64 bits that tell blocks of bytes apart, as hex: two multiplicative hashes that also feed each other at the end. Not
 * for secrets: who wants two blocks of the same digest can make them, and fools only an application of their own.
 */
export function digest(bytes: Uint8Array): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 2654435761);
    b = Math.imul(b ^ byte, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
