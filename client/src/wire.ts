import { formOf, readStreams, type FormValue } from './form.ts';
import type { Answers, Operations } from './operations.generated.ts';
import { pause, standardPatience, waits, type Patience } from './retry.ts';

/** The addresses of a service and the key of an application. */
export interface Connection {
  /** Of the MODIFY port, for instance `http://127.0.0.1:7789`. */
  readonly modify: string;
  /** Of the QUERY port, for instance `http://127.0.0.1:8080`. */
  readonly query: string;
  readonly key: string;
  /** Passed to every request. */
  readonly signal?: AbortSignal;
  /** For a busy service, one that answers HTTP 503. Six retries within about 15 s by default. */
  readonly patience?: Patience;
}

/** An operation the service refused. `code` is a row of docs/errors.md. */
export class SosiaError extends Error {
  override readonly name = 'SosiaError';
  readonly code: number;
  /** The HTTP status: 200 for most refusals. */
  readonly http: number;
  constructor(code: number, http: number, message: string) {
    super(message);
    this.code = code;
    this.http = http;
  }
}

/** No answer arrived, or an answer of another protocol. The request may or may not have been executed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

export type Family = keyof Operations;

/** The name of an operation of the family. */
export type NameIn<F extends Family> = keyof Operations[F] & keyof Answers[F] & string;

interface Envelope {
  readonly status: { readonly code: number; readonly message: string };
}

/** Repeats the request until the service is not busy, or patience ends. Resolves with the fields of the answer. */
export async function ask<F extends Family, Name extends NameIn<F>>(
  connection: Connection,
  family: F,
  operation: Name,
  values: Operations[F][Name],
): Promise<Answers[F][Name]> {
  const { patience = standardPatience, signal } = connection;
  const again = waits(patience);
  const read = await readStreams(values as Parameters<typeof readStreams>[0]);
  for (;;) {
    const { http, answer } = await send(connection, family, operation, read);
    const { code, message } = answer.status;
    if (code === 0) return answer as Envelope & Answers[F][Name];
    const wait = http === 503 ? again.next().value : undefined;
    if (wait === undefined) throw new SosiaError(code, http, message);
    await pause(wait, signal);
  }
}

/** Repeats work whose connection is lost, until patience ends. @param work  receives whether an attempt was lost before */
export async function insist<T>(
  { patience = standardPatience, signal }: Connection,
  work: (lost: boolean) => Promise<T>,
): Promise<T> {
  const again = waits(patience);
  for (let lost = false; ; lost = true) {
    try {
      return await work(lost);
    } catch (error) {
      const wait = error instanceof ConnectionError ? again.next().value : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** Every request is a POST with one multipart form: no length limit and no encoding of text. */
export function post(
  connection: Connection,
  family: Family,
  operation: string,
  values: Record<string, FormValue>,
  accept = 'application/json',
): Promise<Response> {
  const { key, signal } = connection;
  const segment = family === 'modify' || family === 'query' ? `engine${family}` : family;
  return fetch(`${baseOf(connection, family)}/api/v2.0/${segment}/json/${operation}`, {
    method: 'POST',
    headers: { accept },
    body: formOf({ application_key: key, ...values }),
    signal: signal ?? null,
  });
}

/** The MODIFY port serves all families but one. */
function baseOf({ modify, query }: Connection, family: Family): string {
  return (family === 'query' ? query : modify).replace(/\/+$/, '');
}

async function send(
  connection: Connection,
  family: Family,
  operation: string,
  values: Record<string, FormValue>,
): Promise<{ http: number; answer: Envelope }> {
  try {
    const response = await post(connection, family, operation, values);
    const answer: unknown = await response.json();
    if (!isEnvelope(answer)) throw new SyntaxError('no status object');
    return { http: response.status, answer };
  } catch (cause) {
    if (connection.signal?.aborted) throw cause;
    throw new ConnectionError(`no answer from ${baseOf(connection, family)}: ${reasonOf(cause)}`, { cause });
  }
}

function isEnvelope(answer: unknown): answer is Envelope {
  return typeof (answer as Partial<Envelope> | null)?.status?.code === 'number';
}

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'the server uses another protocol';
  const { code, message } = ((cause as Error).cause ?? cause) as { code?: string; message: string };
  return code === 'ECONNREFUSED' ? 'no server listens at this address' : message || code || 'the connection was lost';
}
