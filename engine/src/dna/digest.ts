/**
 * 64 bits that distinguish blocks of bytes, as hex: two multiplicative hashes that also feed each other at the end. Not
 * for secrets: two blocks of the same digest can be made on purpose, which harms only the application of their maker.
 *
 * @param parts  one block of bytes, wherever it is divided
 */
export function digest(...parts: readonly Uint8Array[]): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const bytes of parts) {
    for (let i = 0; i < bytes.length; i++) {
      a = Math.imul(a ^ bytes[i], 2654435761);
      b = Math.imul(b ^ bytes[i], 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
