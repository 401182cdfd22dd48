import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { Metrics } from '@sosia/server/metrics/metrics';

/** Adds many pictures at once, as `sosia move` brings them. @param dnaOf  a place in the list of ids */
export async function addInBulk(
  cluster: string,
  application: number,
  ids: readonly string[],
  dnaOf: (i: number) => Uint8Array,
): Promise<void> {
  const options = { threads: 1, metrics: new Metrics(), warn: () => {} };
  const backend = await ClusteredBackend.start(clusterAddress(cluster), options);
  const record = backend.store.list().find(({ number }) => number === application)!;
  await backend.transfer(record).put(ids.map((id, i) => ({ id, keywords: [], dna: dnaOf(i) })));
  await backend.close();
}
