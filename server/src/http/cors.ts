import type { FastifyInstance } from 'fastify';

/** The pages of other sites whose scripts may use the interface; null for none. */
export type Origins = ReadonlySet<string> | 'all' | null;

const API_PREFIX = '/api/';

/**
 * Allows scripts of other sites to call operations and read the answers. The console is never among these addresses, and
 * no cookie is, so that a script needs a key of its own.
 */
export function allowOrigins(app: FastifyInstance, origins: Origins): void {
  if (origins === null) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !request.url.startsWith(API_PREFIX)) return done();
    if (origins !== 'all' && !origins.has(origin)) return done();
    reply.header('access-control-allow-origin', origins === 'all' ? '*' : origin);
    if (origins !== 'all') reply.header('vary', 'Origin');
    reply.header('access-control-expose-headers', 'x-request-id, retry-after, preference-applied');
    if (request.method !== 'OPTIONS') return done();
    reply.header('access-control-allow-methods', 'GET, POST');
    reply.header('access-control-allow-headers', 'authorization, content-type, last-event-id, prefer');
    reply.header('access-control-max-age', '600');
    void reply.code(204).send();
    return undefined;
  });
}
