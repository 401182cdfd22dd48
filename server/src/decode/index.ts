export { decodePicture } from './decode.ts';
export { DecoderPool, type DecoderOptions } from './decoder-pool.ts';
