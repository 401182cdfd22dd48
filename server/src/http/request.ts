import type { IncomingMessage } from 'node:http';
import { alternativeOf, isRequired } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { fail, Failure } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { readBody } from './body.ts';
import type { HttpContext } from './context.ts';
import { RequestParameters } from './request-parameters.ts';

/** A request as provided by Fastify. */
export interface Request extends IncomingMessage {
  /** The unmodified target. */
  readonly originalUrl?: string;
}

/**
 * Runs an operation for the application of the request's key, which is in the query string or in the body. The key is
 * looked up once, as soon as it has arrived. Then a wrong key is refused, and so is a picture of an application with
 * too many waiting ones. Until then the memory of the request is part of the share of requests without a key.
 * @returns the fields of the answer. Fails with a `Failure`, or with `ClientDisconnectedError` if the client has disconnected
 */
export async function runWithKey(operation: Operation, context: HttpContext, request: Request): Promise<object> {
  if (operation.changes && request.method === 'GET') refuseForged(request);
  const parameters = await readParameters(request, context, (parameters, complete) => {
    if (parameters.application && !complete) return;
    const key = parameters.raw.text('application_key'); // fails if another key follows the first
    if (parameters.application || (key === undefined && !complete)) return;
    const application = findApplication(key, context, request);
    parameters.assignTo(application);
    if (bringsPicture(operation)) application.checkRoomForPicture();
  });
  return perform(operation, parameters, context);
}

/** Runs an operation for an application that is known before the request is read. */
export async function runAs(
  application: Application,
  operation: Operation,
  context: HttpContext,
  request: Request,
): Promise<object> {
  const parameters = await readParameters(request, context, (parameters) => {
    if (!parameters.application) parameters.assignTo(application);
  });
  return perform(operation, parameters, context);
}

/**
 * Reads the query string and the body. The caller releases the result.
 * @param identify  called whenever parameters may have been added, and once at the end; its exception ends the reading
 */
export async function readParameters(
  request: Request,
  context: HttpContext,
  identify: (parameters: RequestParameters, complete: boolean) => void = () => {},
): Promise<RequestParameters> {
  const parameters = new RequestParameters(context);
  try {
    parameters.readQuery(request.originalUrl ?? '');
    identify(parameters, false);
    await readBody(request, parameters, context, () => identify(parameters, false));
    identify(parameters, true);
    return parameters;
  } catch (cause) {
    parameters.release();
    throw cause;
  }
}

/** Fails with UNKNOWN_APPLICATION, or with OVERLOADED for an address that sends many wrong keys. */
export function findApplication(key: string | undefined, context: HttpContext, { socket }: Request): Application {
  const application = context.applications.find(key ?? '');
  if (application) return application;

  const allowed = context.wrongKeys.allow(socket.remoteAddress ?? '');
  throw allowed ? fail('UNKNOWN_APPLICATION') : fail('OVERLOADED', 'too many requests with a wrong key');
}

/**
 * Runs the operation under the limit of concurrent operations and the answer timeout. A failure is added to the status
 * of the application. The memory of the request is released at the end of the operation, which may be after its answer.
 */
async function perform(operation: Operation, parameters: RequestParameters, context: HttpContext): Promise<object> {
  const application = parameters.application!;
  async function work(): Promise<object> {
    try {
      context.work.take(1, application);
      return await operation.run(application, parameters.raw).finally(() => context.work.giveBack(1, application));
    } finally {
      parameters.release();
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
  return Object.values(parameters.properties).some(
    (each) => each.form === 'file' && (isRequired(each) || alternativeOf(each)),
  );
}

/** A page of another site can make a browser send a GET, and browsers send some as prefetches. */
function refuseForged({ headers }: IncomingMessage): void {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? '';
  if (String(purpose).includes('prefetch')) throw fail('FORBIDDEN', 'a change by prefetch');
  if (headers['sec-fetch-site'] === 'cross-site') throw fail('FORBIDDEN', 'a change by a link of another site');
}

/** The work continues after a late answer: an AddImage answered OVERLOADED may have been done. */
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
