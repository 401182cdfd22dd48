import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Random } from '../pictures/random.ts';

/** Bytes of a reference DNA of the local types: head, a descriptor, the checksum. */
const HEAD = 16;
const CODE = 32;
const CHECKSUM = 4;

/**
 * Makes reference DNA whose features are drawn one by one from those of real pictures: visual words and signatures are
 * as frequent as in real ones. Size and places are those of a real picture. Each descriptor comes from about the same place in the
 * order of the levels.
 * @param real  some hundreds at least: pictures that are drawn from a few have many features in common
 */
export function drawer(real: readonly Uint8Array[], random: Random): () => Uint8Array {
  const codes = real.map((dna) => new Uint32Array(dna.slice(HEAD, HEAD + CODE * countOf(dna)).buffer));
  const words = CODE / 4;
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return () => {
    const dna = one(real).slice();
    const count = countOf(dna);
    const drawn = new Uint32Array(count * words);
    for (let i = 0; i < count; i++) {
      const source = one(codes);
      const place = Math.floor(((i + random()) / count) * (source.length / words)) * words;
      for (let w = 0; w < words; w++) drawn[i * words + w] = source[place + w]!;
    }
    dna.set(new Uint8Array(drawn.buffer), HEAD);
    return sealed(dna);
  };
}

/** Another picture's DNA in which a share of the features, by chance, are those of a drawn one. */
export function withFeaturesOf(dna: Uint8Array, drawn: Uint8Array, share: number, random: Random): Uint8Array {
  const mixed = dna.slice();
  for (let i = 0; i < Math.min(countOf(dna), countOf(drawn)); i++) {
    const at = HEAD + CODE * i;
    if (random() < share) mixed.set(drawn.subarray(at, at + CODE), at);
  }
  return sealed(mixed);
}

function sealed(dna: Uint8Array): Uint8Array {
  const end = dna.length - CHECKSUM;
  new DataView(dna.buffer).setUint32(end, crc32c(dna.subarray(0, end)), true);
  return dna;
}

function countOf(dna: Uint8Array): number {
  return dna[4]! | (dna[5]! << 8);
}
