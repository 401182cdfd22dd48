import { setMaxListeners } from 'node:events';
import { portOf } from '@sosia/contract';
import { fail } from '../errors.ts';
import { nearest } from '../parameters/nearest.ts';
import { shown } from '../parameters/text.ts';
import { success } from './envelope.ts';
import { EVENT_STREAM, streamEvents } from './event-stream.ts';
import { operationPath, pathOf } from './paths.ts';
import type { Plugin } from './plugin.ts';
import { runWithKey } from './request.ts';
import { allOperations } from './run.ts';

/**
 * The operations of the interface, each at one path, to which `canonicalPath` maps every spelling; and the answer to
 * other paths.
 */
export const operationRoutes: Plugin = (app, { context, families }, done) => {
  const here = new Set<string>();
  const addresses: Address[] = [];
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  app.addHook('preClose', (closed) => {
    stopping.abort();
    closed();
  });
  for (const operation of allOperations(context)) {
    for (const family of operation.families) {
      const url = operationPath(family, operation.name);
      addresses.push({ name: operation.name, url, port: portOf(family) });
      if (!families.includes(family)) continue;
      here.add(url);
      app.route({
        method: ['GET', 'POST'],
        url,
        config: { operation },
        handler: async (request, reply) => {
          if (operation.streams && String(request.headers.accept).includes(EVENT_STREAM))
            return streamEvents(operation, context, request, reply, stopping.signal);
          return success(operation.success, await runWithKey(operation, context, request.raw));
        },
      });
    }
  }
  app.setNotFoundHandler(({ method, url, originalUrl }) => {
    if (here.has(url)) throw fail('METHOD_NOT_ALLOWED', `expected GET or POST, got ${method}`);
    const path = shown(pathOf(originalUrl));
    const where = ({ url, port }: Address): string => {
      const number = { modify: context.modifyPort, query: context.queryPort }[port];
      return here.has(url) ? url : `${url} on the ${port.toUpperCase()} port, which is ${number}`;
    };
    const name = nameIn(url);
    const names = addresses.map((each) => each.name);
    const meant = url.startsWith('/api/') ? nearest(name, names) : undefined;
    const named = addresses.filter((each) => each.name === meant);
    const address = named.find((each) => each.url === url) ?? named.find((each) => here.has(each.url)) ?? named[0];
    if (!address) throw fail('UNKNOWN_PATH', path);
    const subject = meant === name ? 'the operation' : `did you mean ${meant}? It`;
    throw fail('UNKNOWN_PATH', `${path}; ${subject} is at ${where(address)}`);
  });
  done();
};

/** Where an operation of any port is. */
interface Address {
  readonly name: string;
  readonly url: string;
  readonly port: ReturnType<typeof portOf>;
}

function nameIn(url: string): string {
  return url.split('/').at(-1)!;
}
