import type { IncomingMessage } from 'node:http';
import { isRequired } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { fail, Failure } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { readBody } from './body.ts';
import type { HttpContext } from './context.ts';
import { RequestParameters } from './request-parameters.ts';

/** A request as Fastify hands it on. */
export interface Request extends IncomingMessage {
  /** The target as it came. */
  readonly originalUrl?: string;
}

/**
 * Runs an operation for the application whose key the request has, in the query string or in the body. The key is looked
 * up once, as soon as it has arrived: a wrong key is refused then, and so is a picture of an application that has too many
 * waiting. Until then the memory of the request is part of the share of requests without a key.
 * @returns the fields of the answer. Fails with a `Failure`, or with `ClientGoneError` when the client has left
 */
export async function runWithKey(operation: Operation, context: HttpContext, request: Request): Promise<object> {
  if (operation.changes && request.method === 'GET') refuseForged(request);
  const parameters = await readParameters(request, context, (parameters, complete) => {
    if (parameters.application && !complete) return;
    const key = parameters.raw.text('application_key'); // fails where another key came after the first
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
 * Reads the query string and the body. The caller releases what is returned.
 * @param identify  called whenever parameters may have been added, and once more when all have; what it throws ends the reading
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
 * Runs the operation under the limit of concurrent operations and the answer timeout. The application's page lists a
 * failure. The memory of the request is released when the operation has ended, which may be after its answer.
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
  return Object.values(parameters.properties).some((each) => each.form === 'file' && isRequired(each));
}

/** A page elsewhere on the web can make a browser send a GET, and browsers send some ahead of time. */
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
