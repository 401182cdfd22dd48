/**
 * CRC-32C (Castagnoli; reflected polynomial 0x82f63b78) of bytes, four at a time. It finds every change of up to
 * three bits and every burst of up to 32 in a record.
 *
 * G. Castagnoli, S. Bräuer, M. Herrmann, "Optimization of cyclic redundancy-check codes with 24 and 32 parity bits",
 * IEEE Transactions on Communications 41(6), 1993.
 *
 * @param before  the CRC-32C of the bytes before these
 * @returns an integer in [0, 2³²)
 */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = tables;
  let crc = ~before;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 255] ^ t2[(crc >>> 8) & 255] ^ t1[(crc >>> 16) & 255] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

/** `tables[k][b]`: what byte b does to the register k bytes later. */
const tables = [0, 1, 2, 3].map(() => new Int32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  tables[0][byte] = crc;
}
for (let k = 1; k < 4; k++) {
  tables[k].forEach((_, byte) => {
    const crc = tables[k - 1][byte];
    tables[k][byte] = (crc >>> 8) ^ tables[0][crc & 255];
  });
}
