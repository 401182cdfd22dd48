import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Family } from '@sosia/contract';
import { fail } from '../errors.ts';
import { answering } from './answering.ts';
import { allowOrigins, type Origins } from './cors.ts';
import type { HttpContext } from './context.ts';
import { requireHost } from './host.ts';
import { canonicalPath } from './paths.ts';
import type { Plugin } from './plugin.ts';
import { limitPipelining } from './pipelining.ts';
import { answerConnect, answerSocketError, refuseSocket } from './socket-errors.ts';

/** No route has a schema of Fastify's, so what compiles schemas is not loaded. */
const noCompiler = (): never => {
  throw new Error('expected a route without a schema of Fastify');
};

/** A Fastify instance with the routes of these plugins, before listening. */
export function createListener(
  families: readonly Family[],
  plugins: readonly Plugin[],
  context: HttpContext,
  log: FastifyBaseLogger,
  origins: Origins = null,
): FastifyInstance {
  const { limits, metrics } = context;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // one line per request: see `answering`
    genReqId: () => context.nextRequest(),
    requestTimeout: limits.requestTimeout,
    connectionTimeout: limits.connectionTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    maxRequestsPerSocket: limits.maxRequestsPerSocket,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false, // Node would answer without a body: see `requireHost`
    },
    routerOptions: { querystringParser: () => ({}) },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    rewriteUrl: ({ url = '/' }) => canonicalPath(url),
    clientErrorHandler: (error, socket) => {
      const code = answerSocketError(error, socket, limits);
      if (code !== undefined) metrics.count('refusedConnections', { code });
    },
  });

  app.server.maxConnections = limits.maxConnections;
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  answerConnect(app.server, limits);
  limitPipelining(app.server, limits, (socket) => {
    const error = fail('OVERLOADED', 'too many bytes of unfinished headers and of waiting requests at once');
    metrics.count('refusedConnections', { code: error.code });
    refuseSocket(socket, error);
  });
  // `readBody` reads bodies, with any method and by its own rules
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook('onRequest', async (request) => requireHost(request.raw));
  allowOrigins(app, origins);
  answering(app, context);
  for (const plugin of plugins) app.register(plugin, { context, families });
  return app;
}
