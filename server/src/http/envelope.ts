import type { ErrorName } from '../errors.ts';
import { fail, Failure } from '../errors.ts';

/**
 * The failures of the transport, not of an operation. All others are HTTP 200 with a negative code: existing clients
 * stop at the first HTTP error, before they read the body.
 */
const httpStatuses: Partial<Record<ErrorName, number>> = {
  MALFORMED_REQUEST: 400,
  NOT_SIGNED_IN: 401,
  FORBIDDEN: 403,
  UNKNOWN_PATH: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  REQUEST_TOO_LARGE: 413,
  HEADERS_TOO_LARGE: 431,
  OVERLOADED: 503,
  SHUTTING_DOWN: 503,
  LOADING: 503,
};

export const httpStatusOf = (error: ErrorName): number => httpStatuses[error] ?? 200;

/** One complete answer. */
export interface Answer {
  readonly http: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** In every answer of the service. */
export const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function success(message: string, fields: object): Answer {
  return { http: 200, code: 0, headers, body: asciiJson({ status: { code: 0, message }, ...fields }) };
}

/** @param fields  fields that clients expect beside the status even in failures */
export function failure({ error, code, message }: Failure, fields: object = {}): Answer {
  const http = httpStatusOf(error);
  const extra: Record<string, string> = {};
  if (http === 405) extra['allow'] = 'GET, POST';
  if (http === 503) extra['retry-after'] = '1';
  if (http === 503 || http === 408 || http === 431) extra['connection'] = 'close';
  return { http, code, headers: { ...headers, ...extra }, body: asciiJson({ status: { code, message }, ...fields }) };
}

/** The client's view of any error; the log gets the rest. */
export function asFailure(error: unknown, log: { error(error: unknown): void }): Failure {
  if (error instanceof Failure) return error;
  log.error(error);
  return fail('INTERNAL');
}

/** JSON in ASCII: old clients guess encodings. */
function asciiJson(value: object): Uint8Array {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Buffer.from(JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped), 'latin1');
}
