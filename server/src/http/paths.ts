import type { Family } from '@sosia/contract';
import type { Operation } from '../operations/operation.ts';
import { findOperation } from '../operations/operations.ts';

const wire = /^\/+(?:api\/+v2(?:\.0)?|v2)\/+(?:engine|ltu)(modify|query)\/+(?:json\/+)?([A-Za-z]+)\/*$/;

/** An operation, and the family it was asked for in: some operations are in both. */
export interface Route {
  readonly family: Family;
  readonly operation: Operation;
}

/**
 * The operation a request target names: three prefixes, two names a family, the `json` segment or not, and slashes too
 * many, for all of these are in use.
 */
export function findRoute(target: string): Route | undefined {
  const [, half, name] = wire.exec(pathOf(target)) ?? [];
  if (half === undefined || name === undefined) return undefined;

  const family: Family = half === 'modify' ? 'enginemodify' : 'enginequery';
  const operation = findOperation(family, name);
  return operation && { family, operation };
}

/** The path of a request target, which may be a whole address (requests through a proxy). */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0];
  return path || '/';
}

/** What follows the first question mark, one byte a character as Node hands it out. */
export function queryOf(target: string): Uint8Array {
  const mark = target.indexOf('?');
  return Buffer.from(mark < 0 ? '' : target.slice(mark + 1), 'latin1');
}
