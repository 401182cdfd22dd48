import { fastify, LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Family } from '@sosia/contract';
import { fail } from '../errors.ts';
import { operations } from '../operations/operations.ts';
import { shown } from '../parameters/text.ts';
import { discardBody, ClientGoneError } from './body.ts';
import type { Answer } from './envelope.ts';
import { asFailure, failure, success } from './envelope.ts';
import type { Plugin } from './plugin.ts';
import { requireHost } from './host.ts';
import type { HttpContext } from './context.ts';
import type { Pages } from './pages.ts';
import { findRoute, pathOf } from './paths.ts';
import { answerConnect, answerSocketError, refuseSocket } from './socket-errors.ts';
import { boundUnfinishedHeaders } from './unfinished-headers.ts';
import { carryOut } from './request.ts';

/** What a request counts as that names no operation. */
const NONE = 'none';

/** A Fastify instance that answers the operations of these families, these pages and its plugins', not listening yet. */
export function createListener(
  families: readonly Family[],
  pages: Pages,
  context: HttpContext,
  log: FastifyBaseLogger,
  plugins: readonly Plugin[] = [],
): FastifyInstance {
  const { limits, metrics } = context;
  const own = (path: string): boolean =>
    pages.has(path) || plugins.some(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // one line a request: see `send`
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
    rewriteUrl: ({ url = '/' }) => innerPath(url, own),
    clientErrorHandler: (error, socket) => {
      const code = answerSocketError(error, socket, limits);
      if (code !== undefined) metrics.count('refusedConnections', { code });
    },
  });

  app.server.maxConnections = limits.maxConnections;
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  answerConnect(app.server, limits);
  boundUnfinishedHeaders(app.server, limits, (socket) => {
    const error = fail('OVERLOADED', 'too many bytes of unfinished headers at once');
    metrics.count('refusedConnections', { code: error.code });
    refuseSocket(socket, error);
  });
  // bodies are read in `walk`, with any method and by our own rules
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook('onRequest', async (request) => requireHost(request.raw));

  for (const operation of operations) {
    for (const family of operation.families.filter((each) => families.includes(each))) {
      app.route({
        method: ['GET', 'POST'],
        url: `/${family}/${operation.name}`,
        async handler(request, reply) {
          try {
            const fields = await carryOut(operation, context, request.raw);
            return await send(success(operation.success, fields), request, reply, context);
          } catch (error) {
            if (error instanceof ClientGoneError) return leave(request, reply, context);
            const answer = failure(asFailure(error, request.log), operation.onFailure);
            return send(answer, request, reply, context);
          }
        },
      });
    }
  }

  for (const [path, page] of pages) {
    app.get(path, async (request, reply) => send(await page(context), request, reply, context));
  }
  for (const plugin of plugins) plugin.mount(app, context, families);
  app.setNotFoundHandler((request, reply) => send(notFound(request, families), request, reply, context));
  app.setErrorHandler((error, request, reply) => send(failure(asFailure(error, request.log)), request, reply, context));
  return app;
}

/** Where Fastify finds the operation: one path each, whatever alias was used. '/' is no route. @param own  whether a path is a page */
function innerPath(target: string, own: (path: string) => boolean): string {
  const route = findRoute(target);
  if (route) return `/${route.family}/${route.operation.name}`;
  const path = pathOf(target);
  return own(path) ? path : '/';
}

function notFound({ method, originalUrl }: FastifyRequest, families: readonly Family[]): Answer {
  const route = findRoute(originalUrl);
  const path = shown(pathOf(originalUrl));
  if (!route) return failure(fail('UNKNOWN_PATH', path));
  if (!families.includes(route.family)) return failure(fail('UNKNOWN_PATH', `${path} is served on another port`));
  return failure(fail('METHOD_NOT_ALLOWED', `expected GET or POST, got ${method}`));
}

/** Answers once the body has been read or thrown away, counts the request and logs its one line. */
export async function send(
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  await discardBody(request.raw, context.limits, context.turns);
  if (request.socket.destroyed) return leave(request, reply, context);
  if (!request.raw.complete || context.stage === 'leaving') reply.header('connection', 'close');

  const late = setTimeout(() => reply.raw.destroy(), context.limits.writeTimeout);
  reply.raw.once('close', () => clearTimeout(late));

  const { http, code, headers, body } = answer;
  reply.header('x-request-id', request.id);
  count(code, request, reply, context);
  const ms = Math.round(reply.elapsedTime);
  // the address as it was found, which holds no parameters: a key may be among them
  const level = operationOf(request) === NONE && code === 0 ? 'debug' : 'info'; // probes and scrapes come all the time
  request.log[level]({ method: request.method, path: request.url, http, code, bytes: body.length, ms }, 'answered');
  return reply.code(http).headers(headers).send(body);
}

/** Ends a request whose client is not there any more. */
export function leave(request: FastifyRequest, reply: FastifyReply, context: HttpContext): FastifyReply {
  count('gone', request, reply, context);
  request.log.info({ method: request.method, path: request.url, ms: Math.round(reply.elapsedTime) }, 'gone');
  return reply.hijack();
}

/** Once for every request, so that the sum over all codes is the number of requests. */
function count(code: number | 'gone', request: FastifyRequest, reply: FastifyReply, { metrics }: HttpContext): void {
  const operation = operationOf(request);
  metrics.count('requests', { operation, code });
  metrics.observe('requestSeconds', reply.elapsedTime / 1000, { operation });
}

/** The operation that a route ends with, whoever entered it. */
function operationOf({ routeOptions }: FastifyRequest): string {
  const last = routeOptions.url?.split('/').at(-1) ?? '';
  return operations.some(({ name }) => name === last) ? last : NONE;
}
