import type { FastifyInstance } from 'fastify';
import type { Family } from '@sosia/contract';
import type { HttpContext } from './context.ts';

/** Pages that are served beside the operations, from a room after this one. */
export interface Plugin {
  /** `/name`: paths that are this, or begin with it and a slash, are the plugin's own. */
  readonly prefix: string;
  /** Enters the plugin's routes into a listener. @param families  those the listener serves */
  mount(app: FastifyInstance, context: HttpContext, families: readonly Family[]): void;
}
