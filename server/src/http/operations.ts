import type { Operation } from '@sosia/contract';
import { administration } from '../administration/operations.ts';
import { fail } from '../errors.ts';
import { operations } from '../operations/operations.ts';
import { nearest } from '../parameters/nearest.ts';
import { shown } from '../parameters/text.ts';
import { success } from './envelope.ts';
import { operationPath, pathOf } from './paths.ts';
import type { Plugin } from './plugin.ts';
import { administerWithKey, reviewing, runWithKey } from './request.ts';
import type { Request } from './request.ts';

/**
 * The operations of the interface, each at one path, to which `canonicalPath` maps every spelling; and the answer to
 * other paths.
 */
export const operationRoutes: Plugin = (app, { context, families }, done) => {
  const here = new Set<string>();
  const elsewhere = new Set<string>();
  function route(operation: Operation, run: (raw: Request) => Promise<object>): void {
    for (const family of operation.families) {
      const url = operationPath(family, operation.name);
      (families.includes(family) ? here : elsewhere).add(url);
      if (!here.has(url)) continue;
      app.route({
        method: ['GET', 'POST'],
        url,
        config: { operation },
        handler: async ({ raw }) => success(operation.success, await run(raw)),
      });
    }
  }
  for (const operation of operations) route(operation, (raw) => runWithKey(operation, context, raw));
  if (context.reviews) {
    for (const each of reviewing(context.reviews)) route(each, (raw) => runWithKey(each, context, raw));
  }
  if (context.administered) {
    const { administered } = context;
    for (const operation of administration) {
      route(operation, (raw) => administerWithKey(operation, administered, context, raw));
    }
  }
  app.setNotFoundHandler(({ method, url, originalUrl }) => {
    if (here.has(url)) throw fail('METHOD_NOT_ALLOWED', `expected GET or POST, got ${method}`);
    const path = shown(pathOf(originalUrl));
    if (elsewhere.has(url)) throw fail('UNKNOWN_PATH', `${path} is served on another port`);
    const meant = url.startsWith('/api/') && nearest(nameIn(url), [...here, ...elsewhere].map(nameIn));
    throw fail('UNKNOWN_PATH', meant ? `${path}; did you mean ${meant}?` : path);
  });
  done();
};

function nameIn(url: string): string {
  return url.split('/').at(-1)!;
}
