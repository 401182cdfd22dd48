import decodeHeic from 'heic-decode';
import type { FileBytes } from './formats/file-bytes.ts';
import type { Pixels } from './formats/format.ts';

/** Decodes with libheif in WebAssembly, whose megabytes only a process that decodes has to load. */
export async function heicPixels({ bytes }: FileBytes): Promise<Pixels> {
  const { width, height, data } = await decodeHeic({ buffer: bytes });
  return { width, height, rgba: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
