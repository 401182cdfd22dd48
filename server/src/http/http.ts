import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Family } from '../operations/operation.ts';
import { families } from '../operations/operation.ts';
import { Budget } from './budget.ts';
import type { Applications, House } from './house.ts';
import type { Limits } from './limits.ts';
import { limits as usual } from './limits.ts';
import { createListener } from './listener.ts';
import { WrongKeys } from './wrong-keys.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 picks a free port. The same port twice: one listener serves both families. */
  readonly modifyPort: number;
  readonly queryPort: number;
  readonly log: FastifyBaseLogger;
  /** Where they differ from the usual ones. */
  readonly limits?: Partial<Limits>;
}

/** The interface, listening. */
export interface Http {
  readonly modifyPort: number;
  readonly queryPort: number;
  /**
   * Stops in steps, so that no client meets a closed door in the middle of a request: `/ready` says no and every answer
   * closes its connection; after a grace the ports close; then what is in flight ends. After 10 s at the latest all
   * connections are cut.
   */
  close(): Promise<void>;
}

/** Opens the ports. */
export async function startHttp(applications: Applications, options: HttpOptions): Promise<Http> {
  const limits = { ...usual, ...options.limits };
  const house: { -readonly [K in keyof House]: House[K] } = {
    limits,
    budget: new Budget(limits.bodyBytesInFlight),
    wrongKeys: new WrongKeys(limits),
    applications,
    stage: 'running',
  };

  const { host, modifyPort, queryPort, log } = options;
  const together = modifyPort === queryPort && modifyPort !== 0;
  const listeners = (together ? [families] : families.map((family): Family[] => [family])).map((served) =>
    createListener(served, house, log),
  );
  const ports: number[] = [];
  for (const [i, listener] of listeners.entries()) {
    await listener.listen({ host, port: [modifyPort, queryPort][i]! });
    ports.push((listener.server.address() as AddressInfo).port);
  }

  return {
    modifyPort: ports[0]!,
    queryPort: ports.at(-1)!,

    async close() {
      const cut = setTimeout(() => listeners.forEach(({ server }) => server.closeAllConnections()), limits.stopTimeout);
      house.stage = 'leaving';
      await pause(limits.stopGrace);
      house.stage = 'stopped';
      await Promise.all(listeners.map((listener) => listener.close()));
      clearTimeout(cut);
    },
  };
}
