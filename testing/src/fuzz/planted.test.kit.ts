/** A reader with a fault behind five conditions, each of which a search by coverage can meet alone. */
export function readPlanted(bytes: Uint8Array): string {
  if (bytes[0] !== 0x80) return 'read';
  if (bytes[1] !== 0xff) return 'read';
  if (bytes[2] !== bytes.length) return 'read';
  if (bytes[3] !== 0x7f) return 'read';
  if (bytes[4] !== 0x08) return 'read';
  throw new Error('planted');
}
