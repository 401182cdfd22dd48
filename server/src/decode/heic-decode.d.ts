declare module 'heic-decode' {
  /** Rejects where the file cannot be decoded. Orientation is applied; four bytes a pixel. */
  export default function decode(file: { buffer: Uint8Array }): Promise<{
    width: number;
    height: number;
    data: Uint8ClampedArray;
  }>;
}
