import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOver } from '../applications/applications.ts';
import type { Caller } from '../applications/applications.ts';
import { wireEvent } from '../events/wire.ts';
import type { StoredEvent } from '../store/store.ts';
import { record } from './answering.ts';
import { ClientDisconnectedError } from './body.ts';
import type { HttpContext } from './context.ts';
import { headers } from './envelope.ts';
import { isInScope, runWithKey } from './request.ts';
import type { Run } from './run.ts';

const TYPE = 'text/event-stream';

/** Milliseconds after which a client that lost the stream opens it again. */
const RETRY_MS = 1000;

export function acceptsStream({ headers }: FastifyRequest): boolean {
  return String(headers.accept).includes(TYPE);
}

/**
 * Answers with the events behind `after`, or behind the header Last-Event-ID, and those to come, as server-sent events.
 * The stream ends with the service, with the right of the key, and where the client does not read. Whatever refuses the
 * operation refuses the stream, by the usual answer.
 */
export async function streamEvents(
  operation: Run,
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
): Promise<void> {
  const { caller, after } = await begin(operation, context, request);
  const { application } = caller;
  if (request.socket.destroyed) throw new ClientDisconnectedError('the client closed the connection');
  context.streams.take(1, application);
  reply.hijack();
  const { raw: response } = reply;
  const ended = new AbortController();
  const { signal } = ended;
  const end = (): void => ended.abort();
  try {
    record(request, reply, context, 0);
    const own = { 'content-type': TYPE, connection: 'close', 'x-accel-buffering': 'no', 'x-request-id': request.id };
    response.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers, ...own });
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.once('close', end);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    for await (const page of context.reviews!.events.follow(application!, after, signal)) {
      if (!isAllowed(caller, operation, context)) break;
      if (!response.write(textOf(page))) await drained(response, signal, context.limits.writeTimeout);
    }
    response.end();
  } catch (cause) {
    request.log.error(cause);
    response.destroy();
  } finally {
    stopping.removeEventListener('abort', end);
    context.streams.giveBack(1, application);
  }
}

/** Runs the operation once, which checks the key and the parameters. */
async function begin(operation: Run, context: HttpContext, { raw: request }: FastifyRequest) {
  let begun: { caller: Caller; after: number } | undefined;
  const run: Run['run'] = async (caller, raw) => {
    const last = request.headers['last-event-id'];
    if (last) raw.replaceText('after', String(last));
    const done = await operation.run(caller, raw);
    begun = { caller, after: Number(raw.text('after') ?? 0) };
    return done;
  };
  await runWithKey({ ...operation, run }, context, request);
  return begun!;
}

/** Whether the key may still read; it may have been revoked, and its application disabled. */
function isAllowed({ key }: Caller, operation: Run, { applications }: HttpContext): boolean {
  const now = applications.caller(key.digest);
  return now !== undefined && !isOver(now.key) && isInScope(now, operation);
}

/** A comment where there are none, so that both sides notice a lost connection. */
function textOf(events: readonly StoredEvent[]): string {
  const texts = events.map((event) => `id: ${event.number}\ndata: ${JSON.stringify(wireEvent(event))}\n\n`);
  return texts.join('') || ':\n\n';
}

/** Resolves when the client has read. A client that has not is cut off. */
async function drained(response: ServerResponse, signal: AbortSignal, ms: number): Promise<void> {
  const late = setTimeout(() => response.destroy(), ms);
  await once(response, 'drain', { signal }).catch(() => response.destroy());
  clearTimeout(late);
}
