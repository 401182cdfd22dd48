import { randomBytes } from 'node:crypto';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { families, portOf as portNameOf, type Family } from '@sosia/contract';
import { Metrics } from '../metrics/metrics.ts';
import { Fetcher } from '../fetch/fetcher.ts';
import { Activity } from './activity.ts';
import { Budget } from './budget.ts';
import type { Plugin } from './plugin.ts';
import type { HttpContext } from './context.ts';
import type { Origins } from './cors.ts';
import { exposition, health } from './health.ts';
import { limits as usual, type Limits } from './limits.ts';
import { createListener } from './listener.ts';
import { operationRoutes } from './operations.ts';
import { BodyPacer } from './body-pacer.ts';
import { WrongKeys } from './wrong-keys.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0 picks a free port. The same port twice: one listener serves both families. */
  readonly modifyPort: number;
  readonly queryPort: number;
  readonly log: FastifyBaseLogger;
  readonly metrics?: Metrics;
  /** The progress of the start. */
  readonly loading?: HttpContext['loading'];
  /** See `HttpContext`; never, if missing. */
  readonly outage?: HttpContext['outage'];
  /** The ports that serve `/metrics`; none if missing. */
  readonly metricsOn?: 'modify' | 'query' | 'both' | 'off';
  /** Only those that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  readonly plugins?: readonly Plugin[];
  readonly administered?: HttpContext['administered'];
  readonly reviews?: HttpContext['reviews'];
  /** Fetches nothing, if missing. */
  readonly fetcher?: HttpContext['fetcher'];
  /** The web sites whose scripts may call operations; none if missing. */
  readonly origins?: Origins;
}

const unaudited: HttpContext['audit'] = { note: async () => {}, collect: () => {}, refuse: () => {} };

/** The listening interface. */
export interface Http {
  readonly modifyPort: number;
  readonly queryPort: number;
  /**
   * Stops in steps, so that no request is interrupted. `/ready` answers 503. After a grace the ports close, and every
   * answer closes its connection. A little later idle connections are closed, and requests in progress end. (If answers
   * closed their connections earlier, busy clients would enter the queue of a port that is about to close, and their
   * requests would be lost.) After 10 s all connections are closed.
   */
  close(): Promise<void>;
}

/** Opens the ports; rejects, with no port left open, if one cannot be opened. */
export async function startHttp(applications: HttpContext['applications'], options: HttpOptions): Promise<Http> {
  const limits = { ...usual, ...options.limits };
  const run = randomBytes(4).toString('hex');
  let requests = 0;
  const { host, log, metrics = new Metrics(), metricsOn = 'off' } = options;
  const context: { -readonly [K in keyof HttpContext]: HttpContext[K] } = {
    limits,
    metrics,
    uploads: new Budget(limits.bodyBytesInFlight, 'bytes of uploads', {
      withoutHolder: limits.bodyBytesWithoutKey,
      keptForFirst: limits.firstBytesWithoutKey,
    }),
    work: new Budget(limits.operationsInFlight, 'operations'),
    streams: new Budget(limits.streams, 'streams of events'),
    fetcher: options.fetcher ?? new Fetcher(null),
    fetches: new Budget(limits.fetchesInFlight, 'addresses'),
    pacer: new BodyPacer(),
    wrongKeys: new WrongKeys(limits),
    applications,
    administered: options.administered,
    reviews: options.reviews,
    audit: options.administered?.audit ?? unaudited,
    loading: options.loading ?? (() => undefined),
    outage: options.outage ?? (() => undefined),
    activity: new Activity(),
    modifyPort: options.modifyPort,
    queryPort: options.queryPort,
    stage: 'running',
    nextRequest: () => `${run}-${++requests}`,
  };

  metrics.sample('operationsInWork', () => [[context.work.held]]);
  metrics.sample('operationsLimit', () => [[context.work.total]]);
  metrics.sample('uploadBytes', () => [[context.uploads.held]]);
  metrics.sample('uploadBytesLimit', () => [[context.uploads.total]]);

  const together = options.modifyPort === options.queryPort && options.modifyPort !== 0;
  const ports = ['modify', 'query'] as const;
  const byPort = ports.map((port) => families.filter((family) => portNameOf(family) === port));
  const served: (readonly Family[])[] = together ? [families] : byPort;
  const listeners = served.map((each) => {
    const exposed = metricsOn === 'both' || each.some((family) => portNameOf(family) === metricsOn);
    const plugins = [operationRoutes, health, ...(exposed ? [exposition] : []), ...(options.plugins ?? [])];
    return createListener(each, plugins, context, log, options.origins);
  });

  try {
    await listeners[0]!.listen({ host, port: options.modifyPort });
    await listeners[1]?.listen({ host, port: options.queryPort });
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }

  async function stop(): Promise<void> {
    const cut = setTimeout(() => listeners.forEach(({ server }) => server.closeAllConnections()), limits.stopTimeout);
    context.stage = 'unready';
    await pause(limits.stopGrace);
    context.stage = 'leaving';
    // closes the port alone: http's own close would also close connections whose request is still arriving
    for (const { server } of listeners) NetServer.prototype.close.call(server);
    await pause(limits.stopLinger);
    await Promise.all(listeners.map((listener) => listener.close()));
    clearTimeout(cut);
  }

  let stopped: Promise<void> | undefined;
  const [modifyPort, queryPort] = [listeners[0]!, listeners.at(-1)!].map(portOf) as [number, number];
  Object.assign(context, { modifyPort, queryPort });
  return { modifyPort, queryPort, close: () => (stopped ??= stop()) };
}

function portOf({ server }: FastifyInstance): number {
  return (server.address() as AddressInfo).port;
}
