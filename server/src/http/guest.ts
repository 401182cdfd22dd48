import type { FastifyInstance } from 'fastify';
import type { Family } from '@sosia/contract';
import type { House } from './house.ts';

/** Pages that are served beside the operations, from a room after this one. */
export interface Guest {
  /** `/name`: paths that are this, or begin with it and a slash, are the guest's own. */
  readonly prefix: string;
  /** Enters the guest's routes into a listener. @param families  those the listener serves */
  mount(app: FastifyInstance, house: House, families: readonly Family[]): void;
}
