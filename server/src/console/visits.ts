import type { FastifyRequest } from 'fastify';
import { scopes } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { isOver, type Caller } from '../applications/applications.ts';
import { fail } from '../errors.ts';
import type { HttpContext } from '../http/context.ts';
import { cookiesOf } from './cookies.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sameText, type Session, type Sessions } from './sessions.ts';

/** The header with the token of the page's session. */
const TOKEN = 'x-csrf-token';
/** The header, or else the parameter `application` of the address, with the number that an administrator chooses. */
const APPLICATION = 'x-application';

/** A request with a session. */
export interface Visit {
  /** The key of the sign-in. */
  readonly caller: Caller;
  /** The same with the application of the request, which an administrator chooses and has all rights on. */
  readonly acting: Caller;
  readonly session: Session;
  /** The cookie's value. */
  readonly token: string;
}

/** Finds the session of a request, and the key of the session. */
export class Visits {
  readonly #sessions: Sessions;
  readonly #context: HttpContext;

  constructor(sessions: Sessions, context: HttpContext) {
    this.#sessions = sessions;
    this.#context = context;
  }

  /** For a read request: an `<img>` cannot send a token, so a single session suffices. Fails with NOT_SIGNED_IN. */
  forReading(request: FastifyRequest): Visit {
    const visits = this.#all(request);
    const only = visits.length === 1 && request.headers[TOKEN] === undefined ? visits[0] : undefined;
    const visit = only ?? shown(request, visits);
    if (!visit) throw fail('NOT_SIGNED_IN');
    return visit;
  }

  /** For a request that must come from the console's page with its token. Fails with NOT_SIGNED_IN or FORBIDDEN. */
  fromPage(request: FastifyRequest): Visit {
    const visits = this.#all(request);
    if (visits.length === 0) throw fail('NOT_SIGNED_IN');
    requireSameOrigin(request.raw);
    const visit = shown(request, visits);
    if (!visit) throw fail('FORBIDDEN', 'a request without the token of the session');
    return visit;
  }

  /** Undefined if the token of the request belongs to no session. */
  withToken(request: FastifyRequest): Visit | undefined {
    return shown(request, this.#all(request));
  }

  /** The live sessions of all cookies of the console. A session ends with the key of its application. */
  #all(request: FastifyRequest): Visit[] {
    return cookiesOf(request, this.#context.modifyPort).flatMap((token) => {
      const session = this.#sessions.find(token);
      if (!session) return [];
      const known = this.#context.applications.caller(session.keyDigest);
      const caller = known && { ...known, inConsole: true };
      if (caller && !isOver(caller.key)) return [{ caller, acting: this.#acting(caller, request), session, token }];
      this.#sessions.close(token);
      return [];
    });
  }

  #acting(caller: Caller, { headers, originalUrl }: FastifyRequest): Caller {
    if (caller.application) return caller;
    const chosen = headers[APPLICATION] ?? new URLSearchParams(originalUrl.split('?')[1]).get('application');
    const application = /^\d{1,9}$/.test(String(chosen)) && this.#context.applications.withNumber(Number(chosen));
    if (!application) return caller;
    return { ...caller, key: { ...caller.key, scopes }, application, administrator: true };
  }
}

/** The application of a visit. Fails with UNKNOWN_APPLICATION where an administrator has chosen none. */
export function applicationOf({ acting: { application } }: Visit): Application {
  if (!application) throw fail('UNKNOWN_APPLICATION');
  return application;
}

/**
 * The one of these sessions whose token the page sends. Pages of other ports and of subdomains can set cookies, even of
 * their own live sessions, but cannot make this page send a token.
 */
function shown({ headers }: FastifyRequest, visits: readonly Visit[]): Visit | undefined {
  const token = headers[TOKEN];
  return typeof token === 'string' ? visits.find(({ session }) => sameText(token, session.csrf)) : undefined;
}
