import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from '../applications/application.ts';
import { fail, Failure } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { Given } from '../params/given.ts';
import { readBody } from './body.ts';
import { readForm } from './form.ts';
import type { House } from './house.ts';
import { queryOf } from './paths.ts';

/**
 * From a request to the fields of its answer: query string, body, application, operation. A wrong key in the query
 * string, and a picture of an application that has too many waiting, are refused before the body is read. Fails with a `Failure`, or with `GoneError` when nobody waits any more.
 */
export async function carryOut(
  operation: Operation,
  house: House,
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
): Promise<object> {
  if (operation.changes && request.method === 'GET') refuseForged(request);

  const given = new Given();
  readForm(queryOf(request.originalUrl ?? ''), 'query', given, house.limits.formFields);
  if (given.text('application_key') !== undefined) {
    const application = findApplication(given, house, request);
    // a picture that would be refused is not read
    if (bringsPicture(operation)) application.expectPicture();
  }
  await readBody(request, response, given, house);

  return perform(operation, findApplication(given, house, request), given, house);
}

/** The last station of the walk, within the limits of the house. A failure is remembered for the application's people. */
export async function perform(
  operation: Operation,
  application: Application,
  given: Given,
  house: House,
): Promise<object> {
  try {
    house.work.take(1, application);
    const work = operation.answer(application, given).finally(() => house.work.giveBack(1, application));
    return await inTime(work, house.limits.answerTimeout);
  } catch (cause) {
    house.failures.note(application, operation.name, cause instanceof Failure ? cause : fail('INTERNAL'));
    throw cause;
  }
}

function bringsPicture({ params }: Operation): boolean {
  return Object.values(params).some(({ type, required }) => type === 'file' && required);
}

/** A page elsewhere on the web can make a browser send a GET, and browsers send some ahead of time. */
function refuseForged({ headers }: IncomingMessage): void {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? '';
  if (String(purpose).includes('prefetch')) throw fail('FORBIDDEN', 'a change by prefetch');
  if (headers['sec-fetch-site'] === 'cross-site') throw fail('FORBIDDEN', 'a change by a link of another site');
}

/** Fails with UNKNOWN_APPLICATION, or with OVERLOADED for an address that guesses. */
export function findApplication(given: Given, house: House, request: IncomingMessage): Application {
  const application = house.applications.find(given.text('application_key') ?? '');
  if (application) return application;

  const allowed = house.wrongKeys.allow(request.socket.remoteAddress ?? '');
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
