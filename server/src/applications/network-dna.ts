import { NETWORK_SIDES, writeNetworkDna } from '@sosia/engine';
import { fail } from '../errors.ts';
import { embeddingName } from '../store/embedding-network.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Dependencies } from './application.ts';

/**
 * The DNA of a picture file by the network of an application. Fails with NETWORK_FAILED and as `OnnxRunner.embed` does.
 * @param similarityDna  the DNA of the picture without a network
 */
export async function networkDna(
  content: Uint8Array,
  similarityDna: Uint8Array,
  { number, network }: ApplicationRecord,
  { decoder, onnx, profiles }: Dependencies,
): Promise<Uint8Array> {
  if (!network) return similarityDna;
  const name = embeddingName(network);
  const [source] = await profiles.named([name]);
  if (!source || !('mark' in source)) throw fail('NETWORK_FAILED', `${name} is not in the data folder`);
  const picture = await decoder.decode(content, NETWORK_SIDES.most, number);
  const vector = await onnx.embed(source, picture, number);
  if (vector.length !== network.length)
    throw fail('NETWORK_FAILED', `expected a vector of ${network.length} numbers, got ${vector.length}`);
  return writeNetworkDna(network, similarityDna, vector);
}
