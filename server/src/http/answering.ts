import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../errors.ts';
import { ClientDisconnectedError, discardBody } from './body.ts';
import type { HttpContext } from './context.ts';
import { asFailure, failure, prefersStatuses, type Answer } from './envelope.ts';

/** The name under which metrics count a request without an operation. */
const NO_OPERATION = 'none';

/**
 * Writes the results of a listener's handlers: an `Answer`, or the failure that they throw. Each request is counted
 * once, so that the sum over all codes is the number of requests, and has one line in the log.
 */
export function answering(app: FastifyInstance, context: HttpContext): void {
  const { metrics } = context;
  app.addHook<Answer>('preSerialization', async (request, reply, answer) => {
    await discardBody(request.raw, context);
    if (request.socket.destroyed) throw new ClientDisconnectedError('the client closed the connection');
    if (!request.raw.complete || context.stage === 'leaving') reply.header('connection', 'close');
    const late = setTimeout(() => reply.raw.destroy(), context.limits.writeTimeout);
    reply.raw.once('close', () => clearTimeout(late));

    const { http, code = 0, headers, body } = answer;
    record(request, reply, context, code, { http, code, bytes: body.length });
    reply.removeHeader('content-type'); // Fastify's default
    reply.code(http).header('x-request-id', request.id).headers(headers);
    const bytes: unknown = Buffer.from(body.buffer, body.byteOffset, body.length);
    reply.serializer(() => bytes as string); // Fastify accepts bytes too
    return answer;
  });

  // Prometheus sees no increase in a series that begins with its first event, so those of the alarms begin with 0
  app.addHook('onRoute', ({ config }) => {
    const operation = config?.operation?.name ?? NO_OPERATION;
    for (const error of ['INTERNAL', 'OVERLOADED'] as const)
      metrics.count('requests', { operation, code: errors[error].code }, 0);
  });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ClientDisconnectedError) {
      record(request, reply, context, 'gone');
      reply.hijack();
      return undefined;
    }
    const fields = request.routeOptions.config.operation?.onFailure;
    return failure(asFailure(error, request.log), fields, prefersStatuses(request.headers['prefer']));
  });
}

export function record(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics }: HttpContext,
  code: number | 'gone',
  fields: object = {},
): void {
  const operation = request.routeOptions.config.operation?.name ?? NO_OPERATION;
  metrics.count('requests', { operation, code });
  metrics.observe('requestSeconds', reply.elapsedTime / 1000, { operation });

  // a path without a route is not logged: it may contain a key
  const path = request.is404 ? '/' : request.url;
  const level = operation === NO_OPERATION && code === 0 ? 'debug' : 'info'; // probes and scrapes are frequent
  const ms = Math.round(reply.elapsedTime);
  request.log[level]({ method: request.method, path, ...fields, ms }, code === 'gone' ? 'gone' : 'answered');
}
