const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/**
 * CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), as in RFC 3720, appendix B.4.
 * @param crc  the checksum of what came before, to go on from there
 */
export function crc32c(bytes: Uint8Array, crc = 0): number {
  let state = ~crc;
  for (let i = 0; i < bytes.length; i++) state = table[(state ^ bytes[i]) & 255] ^ (state >>> 8);
  return ~state >>> 0;
}
