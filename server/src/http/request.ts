import type { IncomingMessage } from 'node:http';
import { isRequired } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { fail, Failure } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { readBody } from './body.ts';
import type { HttpContext } from './context.ts';
import { Incoming } from './incoming.ts';

/**
 * From a request to the fields of its answer: query string, body, application, operation. As soon as the key is there,
 * in the query string or in the body, a wrong one is refused, and so is a picture of an application that has too many
 * waiting. Until then the memory of the request is part of the share of those without a key. Fails with a `Failure`, or
 * with `ClientGoneError` when nobody waits any more.
 */
export async function carryOut(
  operation: Operation,
  context: HttpContext,
  request: IncomingMessage & { originalUrl?: string },
): Promise<object> {
  if (operation.changes && request.method === 'GET') refuseForged(request);

  const incoming = new Incoming(context);
  const { raw } = incoming;
  let known = false;
  const identify = (): void => {
    if (known || raw.text('application_key') === undefined) return;
    known = true;
    const application = findApplication(raw, context, request);
    incoming.belongTo(application);
    if (bringsPicture(operation)) application.expectPicture();
  };
  let application: Application;
  try {
    incoming.readQuery(request.originalUrl ?? '');
    identify();
    await readBody(request, incoming, context, identify);
    application = findApplication(raw, context, request); // once more: a second key may have come after the first
  } catch (cause) {
    incoming.release();
    throw cause;
  }
  return perform(operation, application, incoming, context);
}

/**
 * The last station of the walk, within the limits of the house. A failure is remembered for the application's people.
 * The memory of the request is given back when the operation has ended, which may be after its answer.
 */
export async function perform(
  operation: Operation,
  application: Application,
  incoming: Incoming,
  context: HttpContext,
): Promise<object> {
  async function work(): Promise<object> {
    try {
      context.work.take(1, application);
      return await operation.run(application, incoming.raw).finally(() => context.work.giveBack(1, application));
    } finally {
      incoming.release();
    }
  }
  try {
    return await inTime(work(), context.limits.answerTimeout);
  } catch (cause) {
    context.failures.note(application, operation.name, cause instanceof Failure ? cause : fail('INTERNAL'));
    throw cause;
  }
}

function bringsPicture({ parameters }: Operation): boolean {
  return Object.values(parameters.properties).some((each) => each.form === 'file' && isRequired(each));
}

/** A page elsewhere on the web can make a browser send a GET, and browsers send some ahead of time. */
function refuseForged({ headers }: IncomingMessage): void {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? '';
  if (String(purpose).includes('prefetch')) throw fail('FORBIDDEN', 'a change by prefetch');
  if (headers['sec-fetch-site'] === 'cross-site') throw fail('FORBIDDEN', 'a change by a link of another site');
}

/** Fails with UNKNOWN_APPLICATION, or with OVERLOADED for an address that guesses. */
export function findApplication(raw: RawParameters, context: HttpContext, request: IncomingMessage): Application {
  const application = context.applications.find(raw.text('application_key') ?? '');
  if (application) return application;

  const allowed = context.wrongKeys.allow(request.socket.remoteAddress ?? '');
  throw allowed ? fail('UNKNOWN_APPLICATION') : fail('OVERLOADED', 'too many requests with a wrong key');
}

/** The work goes on behind a late answer: an AddImage answered OVERLOADED may have been done. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fail('OVERLOADED', `no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
