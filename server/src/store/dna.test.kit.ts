import { typeDefinitions } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';

/**
 * The reference DNA of a picture of noise, which depends on the seed.
 * @param seed  not 0
 */
export function dnaOf(type: ApplicationType, seed: number): Uint8Array {
  const width = 32 + (seed % 5) * 8;
  const height = 40;
  const rgb = new Uint8Array(width * height * 3);
  let state = Math.imul(seed, 0x9e3779b1);
  for (let i = 0; i < rgb.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    rgb[i] = state;
  }
  return typeDefinitions[type].describe(
    { width, height, rgb, originalWidth: width, originalHeight: height },
    'reference',
  );
}
