import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOver, type Caller } from '../applications/applications.ts';
import { wireEvent } from '../events/wire.ts';
import type { StoredEvent } from '../store/store.ts';
import { record } from './answering.ts';
import { ClientDisconnectedError } from './body.ts';
import type { HttpContext } from './context.ts';
import { headers } from './envelope.ts';
import { isInScope, runWithKey } from './request.ts';
import type { Run } from './run.ts';

export const EVENT_STREAM = 'text/event-stream';

/**
 * The events behind `after`, or behind the header Last-Event-ID, and those to come, as server-sent events. The stream ends
 * with the service, with the right of the key, and where the client does not read. Whatever refuses the operation refuses
 * the stream, by the usual answer.
 */
export async function streamEvents(
  operation: Run,
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
): Promise<Readable> {
  const { caller, after } = await begin(operation, context, request);
  const application = caller.application!;
  if (request.socket.destroyed) throw new ClientDisconnectedError('the client closed the connection');
  context.streams.take(1, application);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  stopping.addEventListener('abort', end);
  reply.raw.once('close', () => {
    end();
    stopping.removeEventListener('abort', end);
    context.streams.giveBack(1, application);
  });
  record(request, reply, context, 0);
  const own = { 'content-type': EVENT_STREAM, connection: 'close', 'x-accel-buffering': 'no' };
  reply.headers({ ...headers, ...own, 'x-request-id': request.id });

  async function* texts(): AsyncGenerator<string> {
    for await (const page of context.reviews!.events.follow(application, after, ended.signal)) {
      if (context.stage === 'leaving' || !isAllowed(caller, operation, context)) return;
      const late = setTimeout(() => reply.raw.destroy(), context.limits.writeTimeout);
      yield textOf(page); // returns when the client has read the page before
      clearTimeout(late);
    }
  }
  return Readable.from(texts());
}

/** Runs the operation once, which checks the key and the parameters. */
async function begin(operation: Run, context: HttpContext, { raw: request }: FastifyRequest) {
  const begun = { caller: {} as Caller, after: 0 };
  const run: Run['run'] = async (caller, raw) => {
    const last = request.headers['last-event-id'];
    if (last) raw.replaceText('after', String(last));
    const done = await operation.run(caller, raw);
    Object.assign(begun, { caller, after: Number(raw.text('after') ?? 0) });
    return done;
  };
  await runWithKey({ ...operation, run }, context, request);
  return begun;
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
