import type { IncomingMessage } from 'node:http';
import { addressOf, alternativeOf, isRequired } from '@sosia/contract';
import type { Operation as Schema } from '@sosia/contract';
import { isOver } from '../applications/applications.ts';
import type { Caller } from '../applications/applications.ts';
import { fail, Failure } from '../errors.ts';
import { auditChange, auditRefusal, refusesKey } from './auditing.ts';
import { readBody } from './body.ts';
import type { HttpContext } from './context.ts';
import { fetchPictures } from './fetch-pictures.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import type { Run } from './run.ts';
import { warningsOn } from './unknown-parameters.ts';
import { administrators, RequestParameters } from './request-parameters.ts';

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
export async function runWithKey(operation: Run, context: HttpContext, request: Request): Promise<object> {
  const parameters = await readAsCaller(operation, context, request, ({ application }) => {
    if (!operation.ofApplication) return;
    if (!application) throw fail('UNKNOWN_APPLICATION');
    if (bringsPicture(operation)) application.checkRoomForPicture();
  });
  return perform(operation, parameters, context, request);
}

/** Runs an operation for a caller who is known before the request is read. */
export async function runAs(caller: Caller, operation: Run, context: HttpContext, request: Request): Promise<object> {
  requireScope(caller, operation, context, request);
  return perform(operation, await readFor(caller, operation, context, request), context, request);
}

/**
 * Reads a request whose key is among its parameters.
 * @param accept  called with the caller as soon as the key has arrived; its exception ends the reading
 */
async function readAsCaller(
  operation: Schema,
  context: HttpContext,
  request: Request,
  accept: (caller: Caller) => void,
): Promise<RequestParameters> {
  if (operation.changes && request.method === 'GET') refuseForged(request);
  return readParameters(request, context, operation, (parameters, complete) => {
    if (parameters.caller && !complete) return;
    const key = keyOf(parameters.raw, request); // fails if another key follows the first
    if (parameters.caller || (key === undefined && !complete)) return;
    const isAdministration = operation.families.includes('administration');
    const caller = findCaller(key, context, request, isAdministration ? operation.name : undefined);
    requireScope(caller, operation, context, request);
    parameters.assignTo(caller);
    accept(caller);
  });
}

/** The key among the parameters, or else in the header. Fails with REPEATED_PARAMETER where they differ. */
function keyOf(raw: RawParameters, { headers }: Request): string | undefined {
  const key = raw.text('application_key');
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw fail('REPEATED_PARAMETER', 'application_key, also as another key in the header Authorization');
  }
  return key ?? bearer;
}

function readFor(
  caller: Caller,
  operation: Schema,
  context: HttpContext,
  request: Request,
): Promise<RequestParameters> {
  return readParameters(request, context, operation, (parameters) => {
    if (!parameters.caller) parameters.assignTo(caller);
  });
}

/** Administrators may do everything. */
export function isInScope({ key, application }: Caller, { scope }: Schema): boolean {
  return !application || scope === null || key.scopes.includes(scope);
}

/** Fails with SCOPE_REFUSED. */
function requireScope(caller: Caller, operation: Schema, context: HttpContext, request: Request): void {
  if (isInScope(caller, operation)) return;
  const { key } = caller;
  const { name, scope } = operation;
  const has = key.scopes.join(', ');
  const failure = fail('SCOPE_REFUSED', `${name} needs the scope ${scope}, the key ${key.name} has ${has}`);
  auditRefusal(name, failure, context, request, caller);
  throw failure;
}

/**
 * Reads the query string and the body. The caller releases the result.
 * @param operation  the one whose picture a body may be
 * @param identify  called whenever parameters may have been added, and once at the end; its exception ends the reading
 */
export async function readParameters(
  request: Request,
  context: HttpContext,
  operation?: Schema,
  identify: (parameters: RequestParameters, complete: boolean) => void = () => {},
): Promise<RequestParameters> {
  const parameters = new RequestParameters(context);
  try {
    parameters.readQuery(request.originalUrl ?? '');
    identify(parameters, false);
    await readBody(request, parameters, context, pictureOf(operation), () => identify(parameters, false));
    identify(parameters, true);
    return parameters;
  } catch (cause) {
    parameters.release();
    throw cause;
  }
}

/**
 * Fails with UNKNOWN_APPLICATION, KEY_EXPIRED, or with OVERLOADED for an address that sends many wrong keys.
 * @param audited  what the audit log calls the attempt, which is then entered
 */
export function findCaller(
  key: string | undefined,
  context: HttpContext,
  request: Request,
  audited: string | undefined,
): Caller {
  const caller = context.applications.recognize(key ?? '');
  if (caller && !isOver(caller.key)) return caller;

  const allowed = context.wrongKeys.allow(request.socket.remoteAddress ?? '');
  const refused = caller
    ? fail('KEY_EXPIRED', `${caller.key.name}, at ${caller.key.expires}`)
    : fail('UNKNOWN_APPLICATION');
  if (audited !== undefined) auditRefusal(audited, refused, context, request, caller);
  throw allowed ? refused : fail('OVERLOADED', 'too many requests with a wrong key');
}

/** Runs the operation. It is counted in the activity of the application, and a change is added to the audit log. */
async function perform(
  operation: Run,
  parameters: RequestParameters,
  context: HttpContext,
  request: Request,
): Promise<object> {
  const caller = parameters.caller!;
  const { application } = caller;
  const begin = performance.now();
  const note = (failure?: Failure): void => {
    if (!application || !operation.ofApplication) return;
    context.activity.note(application, operation, performance.now() - begin, failure);
  };
  try {
    await fetched(operation, parameters, context);
    const work = () => operation.run(caller, parameters.raw);
    const { fields, subject } = await bounded(work, application ?? administrators, parameters, context);
    if (operation.changes) await auditChange(operation, caller, parameters.raw, context, subject);
    note();
    return withWarnings(fields, operation, parameters.raw);
  } catch (cause) {
    note(cause instanceof Failure ? cause : fail('INTERNAL'));
    if (refusesKey(cause)) auditRefusal(operation.name, cause, context, request, caller);
    throw cause;
  }
}

/** Before the work is counted: a slow server keeps no other request waiting. */
async function fetched(operation: Schema, parameters: RequestParameters, context: HttpContext): Promise<void> {
  try {
    await fetchPictures(operation, parameters, context);
  } catch (cause) {
    parameters.release();
    throw cause;
  }
}

function withWarnings(fields: object, operation: Schema, raw: RawParameters): object {
  const warnings = warningsOn(raw, operation);
  return warnings.length > 0 ? { warnings, ...fields } : fields;
}

/**
 * Does the work under the limit of concurrent operations and the answer timeout. The memory of the request is released
 * at the end of the work, which may be after its answer.
 */
function bounded<T>(
  work: () => Promise<T>,
  holder: object,
  parameters: RequestParameters,
  { work: budget, limits }: HttpContext,
): Promise<T> {
  async function all(): Promise<T> {
    try {
      budget.take(1, holder);
      return await work().finally(() => budget.giveBack(1, holder));
    } finally {
      parameters.release();
    }
  }
  return inTime(all(), limits.answerTimeout);
}

/** The parameter that a body of a picture alone gives. */
function pictureOf(operation: Schema | undefined): string | undefined {
  const parameters = Object.entries(operation?.parameters.properties ?? {});
  return parameters.find(([, { form }]) => form === 'file')?.[0];
}

function bringsPicture({ parameters }: Schema): boolean {
  return Object.values(parameters.properties).some(
    (each) => each.form === 'file' && addressOf(each) && (isRequired(each) || alternativeOf(each)),
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
