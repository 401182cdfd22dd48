import type { FastifyPluginCallback } from 'fastify';
import type { Family, Operation } from '@sosia/contract';
import type { HttpContext } from './context.ts';

export interface PluginOptions {
  readonly context: HttpContext;
  /** The families of operations of the listener. */
  readonly families: readonly Family[];
}

/** Routes of a listener. Their handlers return an `Answer` or throw; `answering` does the rest. */
export type Plugin = FastifyPluginCallback<PluginOptions>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the route, if any, for the log and the metrics. */
    operation?: Operation;
  }
}
