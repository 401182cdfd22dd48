/** Bytes as base64, without a copy of them. */
export function base64({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}

export function bytesIn(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
