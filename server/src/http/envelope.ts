import { fail, Failure, type ErrorName } from '../errors.ts';

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

/** For clients that request real HTTP statuses. The patterns below have those that are not here. */
const plainStatuses: Partial<Record<ErrorName, number>> = {
  INTERNAL: 500,
  UNKNOWN_APPLICATION: 401,
  KEY_EXPIRED: 401,
  SCOPE_REFUSED: 403,
  NOT_ADMINISTRATOR: 403,
  NO_SUCH_APPLICATION: 404,
  IMAGE_NOT_FOUND: 404,
  NO_THUMBNAIL: 404,
  CONFLICT: 409,
  PICTURE_TOO_LARGE: 413,
  UNSUPPORTED_FORMAT: 415,
  DOES_NOT_APPLY: 422,
  ASYMMETRIC_DNA: 422,
  NOT_ALIGNED: 422,
  NOT_ENOUGH_INFORMATION: 422,
  DECODE_TIMEOUT: 422,
  NETWORK_FAILED: 500,
  DECODER_CRASHED: 503,
  STORE_DAMAGED: 500,
  STORE_FULL: 507,
  CLUSTER_FULL: 507,
};

/** The last is for a picture or a parameter. */
const plainPatterns = [
  [/^UNKNOWN_/, 404],
  [/_(?:TAKEN|EXISTS)$/, 409],
  [/^(?:STORE|CLUSTER)_/, 503],
  [/^/, 400],
] as const;

/** The header by which a client requests real HTTP statuses (RFC 7240). */
export function prefersStatuses(prefer: string | string[] | undefined): boolean {
  return String(prefer ?? '')
    .split(/[,;]/)
    .some((each) => each.trim().toLowerCase() === 'http-status');
}

export const plainStatusOf = (error: ErrorName): number =>
  httpStatuses[error] ?? plainStatuses[error] ?? plainPatterns.find(([pattern]) => pattern.test(error))![1];

export const httpStatusOf = (error: ErrorName): number => httpStatuses[error] ?? 200;

/** One complete answer. */
export interface Answer {
  readonly http: number;
  /** 0 if missing. */
  readonly code?: number;
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
  return { http: 200, headers, body: asciiJson({ status: { code: 0, message }, ...fields }) };
}

/**
 * @param fields  fields that clients expect beside the status even in failures
 * @param plain  whether the client requests a real HTTP status
 */
export function failure({ error, code, message }: Failure, fields: object = {}, plain = false): Answer {
  const http = plain ? plainStatusOf(error) : httpStatusOf(error);
  const extra: Record<string, string> = {};
  if (plain) extra['preference-applied'] = 'http-status';
  if (http === 405) extra['allow'] = 'GET, POST';
  if (http === 503) extra['retry-after'] = '1';
  if (http === 503 || http === 408 || http === 431) extra['connection'] = 'close';
  return { http, code, headers: { ...headers, ...extra }, body: asciiJson({ status: { code, message }, ...fields }) };
}

/** The client's view of any error; the log gets the rest. */
export function asFailure(error: unknown, log: { error(error: unknown): void; warn(fields: object): void }): Failure {
  if (!(error instanceof Failure)) {
    log.error(error);
    return fail('INTERNAL');
  }
  const shown = forClients(error);
  if (shown !== error) log.warn({ code: error.code, detail: error.detail });
  return shown;
}

/** Without what a cluster says: its hosts, nodes and names of indexes are not for customers. */
export function forClients(failure: Failure): Failure {
  const { error } = failure;
  return error.startsWith('CLUSTER_') ? fail(error, 'the log of the service has the cause') : failure;
}

/** JSON in ASCII: old clients guess encodings. */
function asciiJson(value: object): Uint8Array {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Buffer.from(JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped), 'latin1');
}
