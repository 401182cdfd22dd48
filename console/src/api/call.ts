import { errorCodes } from '@sosia/client/error-codes';
import { formOf, type FormValue } from '@sosia/client/form';
import type { Answers, Family } from '@sosia/contract';
import { StoredText } from '../parts/stored-text.ts';
import type { Envelope, Session } from './answers.ts';

/** The parameters of an operation; curl lines are made from them too. */
export interface Request<F extends Family = Family, Name extends string = string> {
  readonly family: F;
  readonly operation: Name;
  readonly values: Readonly<Record<string, FormValue>>;
}

export function requestFor<F extends Family, Name extends keyof Answers[F] & string>(
  family: F,
  operation: Name,
  values: Request['values'] = {},
): Request<F, Name> {
  return { family, operation, values };
}

/** A refusal of the service, or no answer at all (code 0). */
export class CallError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The session has ended, or another tab has signed in to another application. */
const SESSION_ENDED: readonly number[] = [errorCodes.NOT_SIGNED_IN, errorCodes.FORBIDDEN];
/** Milliseconds before each retry while the service is busy. */
const PAUSES = [400, 800, 1600, 3200, 6400];

/**
 * The token of the session is stored where only pages of this origin can write. A cookie can be planted by another port
 * or by a subdomain, and counts only with its token.
 */
const token = new StoredText('sosia-token');
/** The number of the application that an administrator has chosen in this tab, or empty. */
const application = new StoredText('sosia-application', () => sessionStorage);
let onSignedOut = (): void => {};

/** Called at the end of the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Both parts are null if signed out. */
export async function currentSession(): Promise<Session> {
  return entered(await send<Session>('session', { method: 'GET' }));
}

export async function signIn(key: string): Promise<Session> {
  const body = new URLSearchParams({ application_key: key });
  return entered(await send<Session>('sign-in', { method: 'POST', body }));
}

export async function signOut(): Promise<void> {
  await send('sign-out', { method: 'POST', body: new FormData() });
  rememberApplication(undefined);
  onSignedOut();
}

/** Fails with `CallError`, or with an `AbortError`. Repeats the request to a busy service for about 12 s. */
export async function ask<F extends Family, Name extends keyof Answers[F] & string>(
  { family, operation, values }: Request<F, Name>,
  signal?: AbortSignal,
): Promise<Answers[F][Name]> {
  const init = { method: 'POST', body: formOf(values), ...(signal && { signal }) };
  for (const pause of PAUSES) {
    try {
      return await send(`${family}/${operation}`, init);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== errorCodes.OVERLOADED) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return send(`${family}/${operation}`, init);
}

/** For a page that is being closed: the browser sends the request, and the answer is lost. */
export function askInPassing({ family, operation, values }: Request): void {
  send(`${family}/${operation}`, { method: 'POST', body: formOf(values), keepalive: true }).catch(() => {});
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return send<T>(path, { method: 'GET', ...(signal && { signal }) });
}

export type ThumbnailOf = 'image_id' | 'search_id' | 'event_id';

/** Opens the picture itself, where its source has it. */
export function originalOf(id: string): string {
  return `api/original?image_id=${encodeURIComponent(id)}${chosen()}`;
}

/** @param of  what has the id: a reference picture, a saved search, or an event of a picture of another application */
export function thumbnailOf(id: string | number, of: ThumbnailOf = 'image_id'): string {
  return `api/thumbnail?${of}=${encodeURIComponent(id)}${chosen()}`;
}

function chosen(): string {
  return application.text && `&application=${application.text}`;
}

/** The application of an administrator, in this tab; undefined forgets it. */
export function rememberApplication(number: number | undefined): void {
  application.text = number === undefined ? '' : String(number);
}

/** The bytes at an address, fetched by the service. Fails with `CallError`. */
export async function pictureAt(address: string): Promise<Blob> {
  const response = await respond('picture', { method: 'POST', body: formOf({ image_url: address }) });
  if (response.headers.get('content-type') === 'application/octet-stream') return response.blob();
  const { status } = (await response.json()) as Envelope;
  throw new CallError(status.code, status.message);
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await respond(path, init);
  const answer = (await response.json()) as T & Envelope;
  const { code, message } = answer.status;
  if (SESSION_ENDED.includes(code) && path !== 'sign-in') onSignedOut();
  if (code !== 0) throw new CallError(code, message);
  return answer;
}

function respond(path: string, init: RequestInit): Promise<Response> {
  const headers = {
    ...(token.text && { 'x-csrf-token': token.text }),
    ...(application.text && { 'x-application': application.text }),
  };
  return fetch(`api/${path}`, { ...init, headers }).catch((cause: unknown) => {
    throw (cause as Error).name === 'AbortError' ? cause : new CallError(0, 'The service does not answer.');
  });
}

function entered(answer: Session): Session {
  token.text = (answer.session ?? answer.administrator)?.csrf ?? '';
  return answer;
}
