import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, mock } from 'node:test';
import { clusterAddress } from './address.ts';
import { Connection } from './connection.ts';

/** Two processes of a cluster, and their clock, which is moved by hand. */
export interface TwoProcesses {
  /** From the first test on. */
  readonly connections: readonly [Connection, Connection];
  seconds: number;
}

/** @param cluster  what answers in place of OpenSearch; it ends after the last test of the file */
export function twoProcesses(cluster: Server): TwoProcesses {
  const connections: Connection[] = [];
  const processes = { connections: connections as unknown as [Connection, Connection], seconds: 0 };
  before(async () => {
    await once(cluster.listen(0, '127.0.0.1'), 'listening');
    const address = clusterAddress(`http://127.0.0.1:${(cluster.address() as AddressInfo).port}`);
    connections.push(new Connection(address), new Connection(address));
    mock.method(performance, 'now', () => processes.seconds * 1000);
    mock.timers.enable({ apis: ['setInterval'] });
  });
  after(async () => {
    mock.timers.reset();
    mock.restoreAll();
    for (const connection of connections) connection.close();
    cluster.closeAllConnections();
    await once(cluster.close(), 'close');
  });
  return processes;
}
