import { typeDefinitions } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import type { Damage } from '../store/store.ts';
import type { Verification } from '../store/verify.ts';
import { clusterAddress, type ClusterFiles } from './address.ts';
import { ClusteredBackend } from './clustered-backend.ts';
import { picturesAlias } from './layout.ts';

/**
 * Reads every picture of a cluster and checks it against its DNA. A service may use the cluster; nothing is changed.
 * Fails as `setUpCluster` does, and with CLUSTER_INCOMPLETE.
 */
export async function verifyCluster(
  address: string,
  files: ClusterFiles = {},
): Promise<Verification & { warnings: string[] }> {
  const at = clusterAddress(address, files);
  const warnings: string[] = [];
  const warn = (what: string): void => void warnings.push(what);
  const backend = await ClusteredBackend.start(at, { threads: 1, metrics: new Metrics(), warn });
  try {
    const applications = backend.store.list();
    const damages: Damage[] = [];
    let images = 0;
    for (const application of applications) {
      if (!typeDefinitions[application.type].traits.references) continue;
      for await (const batch of backend.transfer(application).faults()) {
        images += batch.filter((fault) => fault === undefined).length;
        const file = picturesAlias(at.prefix, application.number);
        for (const fault of batch) if (fault) damages.push({ file, application: application.number, ...fault });
      }
    }
    return { applications: applications.length, images, damages, warnings };
  } finally {
    await backend.close();
  }
}
