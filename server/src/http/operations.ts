import { fail } from '../errors.ts';
import { operations } from '../operations/operations.ts';
import { shown } from '../parameters/text.ts';
import { success } from './envelope.ts';
import { operationPath, pathOf } from './paths.ts';
import type { Plugin } from './plugin.ts';
import { runWithKey } from './request.ts';

/**
 * The operations of the interface, each at one path, to which `canonicalPath` maps every spelling; and the answer to
 * other paths.
 */
export const operationRoutes: Plugin = (app, { context, families }, done) => {
  const here = new Set<string>();
  const elsewhere = new Set<string>();
  for (const operation of operations) {
    for (const family of operation.families) {
      const url = operationPath(family, operation.name);
      (families.includes(family) ? here : elsewhere).add(url);
      if (!here.has(url)) continue;
      app.route({
        method: ['GET', 'POST'],
        url,
        config: { operation },
        handler: async ({ raw }) => success(operation.success, await runWithKey(operation, context, raw)),
      });
    }
  }
  app.setNotFoundHandler(({ method, url, originalUrl }) => {
    if (here.has(url)) throw fail('METHOD_NOT_ALLOWED', `expected GET or POST, got ${method}`);
    const path = shown(pathOf(originalUrl));
    throw fail('UNKNOWN_PATH', elsewhere.has(url) ? `${path} is served on another port` : path);
  });
  done();
};
