export { decodePicture } from './decode.ts';
export { Decoder, type DecoderOptions } from './decoder.ts';
