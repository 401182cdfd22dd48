import { createHash } from 'node:crypto';
import type { NetworkSpec, Network, NetworkIdentity } from '@sosia/engine';

/** The name in the data folder of the network that applications describe their pictures by. */
export function embeddingName({ digest }: Pick<NetworkIdentity, 'digest'>): string {
  return `embedding-${digest}`;
}

export interface EmbeddingNetwork {
  readonly network: Network;
  readonly identity: NetworkIdentity;
}

/** A network with the name that its content gives, for applications to share. @param length  of its vectors */
export function embeddingNetwork(spec: NetworkSpec, model: Uint8Array, length: number): EmbeddingNetwork {
  const hash = createHash('sha256').update(JSON.stringify(spec)).update(model).digest('hex');
  const identity = { digest: hash.slice(0, 16), length };
  return { network: { name: embeddingName(identity), spec, model }, identity };
}
