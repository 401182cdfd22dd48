import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { imageId } from '@sosia/contract';
import { crc32c } from '@sosia/engine/crc32c';
import type { Family } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { digestOf } from '../applications/keys.ts';
import { fail } from '../errors.ts';
import { ClientGoneError, readBody } from '../http/body.ts';
import type { Answer } from '../http/envelope.ts';
import { asFailure, failure, success } from '../http/envelope.ts';
import type { Plugin } from '../http/plugin.ts';
import type { HttpContext } from '../http/context.ts';
import { leave, send } from '../http/listener.ts';
import { Incoming } from '../http/incoming.ts';
import { queryOf } from '../http/paths.ts';
import { findApplication, perform } from '../http/request.ts';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { readAll } from '../parameters/parameters.ts';
import { requireSameOrigin } from './same-origin.ts';
import type { Session } from './sessions.ts';
import { sameText, sessionLimits, Sessions } from './sessions.ts';
import { guardHeaders, Site } from './site.ts';

const prefix = '/console';

/** The header in which the page shows the token of its session. */
const TOKEN = 'x-csrf-token';

const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/**
 * A page for people, at the port of the operations that change something; the other port sends there. Who signs in with
 * an application key gets a cookie, which the page's own requests show; they run the operations of the table.
 *
 *     GET  /console/FILE                  the page
 *     GET  /console/api/session           who is signed in, for a page that shows the token of the session
 *     POST /console/api/sign-in           application_key in the body
 *     POST /console/api/sign-out
 *     POST /console/api/FAMILY/OPERATION  as the interface has it, without the key
 *     GET  /console/api/status            the application at a glance
 *     GET  /console/api/thumbnail         the small JPEG of `image_id`; 204 where there is none
 *
 * @param folder  the built page
 */
export function consolePlugin(folder: string): Plugin {
  const site = new Site(folder);
  const sessions = new Sessions();
  return {
    prefix,
    mount(app, context, served) {
      if (served.includes('enginemodify')) new ConsoleRoutes(site, sessions, context).mount(app);
      else
        for (const url of [prefix, `${prefix}/*`]) app.get(url, (request, reply) => sendAway(request, reply, context));
    },
  };
}

/** To the same host's port for changes. */
function sendAway(request: FastifyRequest, reply: FastifyReply, context: HttpContext): Promise<FastifyReply> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  return send(moved(`//${host}:${context.modifyPort}${prefix}/`), request, reply, context);
}

function moved(location: string): Answer {
  return { http: 302, code: 0, headers: { ...guardHeaders, location }, body: new Uint8Array() };
}

/** What a signed-in request comes with. */
interface Visit {
  readonly application: Application;
  readonly session: Session;
  readonly token: string;
}

class ConsoleRoutes {
  readonly #site: Site;
  readonly #sessions: Sessions;
  readonly #context: HttpContext;

  constructor(site: Site, sessions: Sessions, context: HttpContext) {
    this.#site = site;
    this.#sessions = sessions;
    this.#context = context;
  }

  mount(app: FastifyInstance): void {
    app.get(prefix, (request, reply) => send(moved(`${prefix}/`), request, reply, this.#context));
    app.get(`${prefix}/`, (request, reply) => this.#page('index.html', request, reply));
    app.get<{ Params: { name: string } }>(`${prefix}/:name`, (request, reply) =>
      this.#page(request.params.name, request, reply),
    );

    const answer = (work: (request: FastifyRequest, reply: FastifyReply) => object | Promise<object>) =>
      this.#answering(async (request, reply) => success('No error', await work(request, reply)));
    app.get(
      `${prefix}/api/session`,
      answer((request) => this.#session(request)),
    );
    app.post(
      `${prefix}/api/sign-in`,
      answer((request, reply) => this.#signIn(request, reply)),
    );
    app.post(
      `${prefix}/api/sign-out`,
      answer((request, reply) => this.#signOut(request, reply)),
    );
    app.get(
      `${prefix}/api/thumbnail`,
      this.#answering((request) => this.#thumbnail(request)),
    );
    app.get(
      `${prefix}/api/status`,
      answer((request) => this.#status(request)),
    );
    for (const operation of operations) {
      for (const family of operation.families) this.#enter(app, family, operation);
    }
  }

  #enter(app: FastifyInstance, family: Family, operation: Operation): void {
    app.post(
      `${prefix}/api/${family}/${operation.name}`,
      this.#answering(async (request) => {
        const { application } = this.#visit(request, 'by its own page');
        const incoming = await this.#read(request, application);
        return success(operation.success, await perform(operation, application, incoming, this.#context));
      }, operation.onFailure),
    );
  }

  /** A handler that answers in the envelope, whatever goes wrong. */
  #answering(work: (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>, onFailure: object = {}) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        return await send(await work(request, reply), request, reply, this.#context);
      } catch (error) {
        if (error instanceof ClientGoneError) return leave(request, reply, this.#context);
        return send(failure(asFailure(error, request.log), onFailure), request, reply, this.#context);
      }
    };
  }

  #page(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = this.#site.answer(name, request.headers);
    return send(answer ?? failure(fail('UNKNOWN_PATH', prefix)), request, reply, this.#context);
  }

  /** Null where nobody is signed in, which is no failure: the page asks to find out. */
  #session(request: FastifyRequest): object {
    const visit = this.#withToken(request, this.#visits(request));
    return { session: visit ? this.#about(visit) : null };
  }

  async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<object> {
    requireSameOrigin(request.raw);
    if (queryOf(request.originalUrl).length > 0)
      throw fail('FORBIDDEN', 'a key belongs into the body, not into an address');
    const incoming = await this.#read(request);
    incoming.release();
    const { raw } = incoming;
    const application = findApplication(raw, this.#context, request.raw);
    const { token, session } = this.#sessions.open(digestOf(raw.text('application_key')!));
    reply.header('set-cookie', this.#cookie(request, token, sessionLimits.lifetime / 1000));
    return { session: this.#about({ application, session, token }) };
  }

  #signOut(request: FastifyRequest, reply: FastifyReply): object {
    const { token } = this.#visit(request, 'by its own page');
    this.#sessions.close(token);
    reply.header('set-cookie', this.#cookie(request, '', 0));
    return {};
  }

  /** Never stored without asking again: under the same id there may be another picture by then. */
  async #thumbnail(request: FastifyRequest): Promise<Answer> {
    const { application } = this.#visit(request);
    const incoming = new Incoming(this.#context);
    incoming.readQuery(request.originalUrl);
    const { image_id } = readAll({ image_id: imageId }, incoming.raw);
    const jpeg = await application.thumbnailOf(image_id);
    if (!jpeg) return { http: 204, code: 0, headers: guardHeaders, body: new Uint8Array() };
    const etag = `"${crc32c(jpeg).toString(16)}-${jpeg.length}"`;
    const headers = { ...guardHeaders, 'cache-control': 'private, no-cache', etag };
    const known = request.headers['if-none-match'] === etag;
    if (known) return { http: 304, code: 0, headers, body: new Uint8Array() };
    return { http: 200, code: 0, headers: { ...headers, 'content-type': 'image/jpeg' }, body: jpeg };
  }

  async #status(request: FastifyRequest): Promise<object> {
    const { application } = this.#visit(request);
    const { indexBytes, count } = await application.overview();
    return {
      version,
      count,
      index_bytes: indexBytes,
      state: application.state,
      failures: this.#context.failures.of(application),
    };
  }

  /** What the page has to know to suit the application. */
  #about({ application, session }: Visit): object {
    const { name, type, traits, defaults } = application;
    const { modifyPort, queryPort } = this.#context;
    return {
      csrf: session.csrf,
      application: { name, type, traits, nb_results: defaults.nbResults, color_weight: defaults.colorWeight },
      ports: { modify: modifyPort, query: queryPort },
      version,
    };
  }

  /**
   * The session of a request. With `by its own page` the request must come from the console's page and show the
   * session's token.
   * @throws Failure NOT_SIGNED_IN or FORBIDDEN
   */
  #visit(request: FastifyRequest, how?: 'by its own page'): Visit {
    const visits = this.#visits(request);
    if (visits.length === 0) throw fail('NOT_SIGNED_IN');
    if (how === undefined) {
      // an <img> cannot show a token: of two sessions neither is trusted
      const only = visits.length === 1 && request.headers[TOKEN] === undefined ? visits[0] : undefined;
      const visit = only ?? this.#withToken(request, visits);
      if (!visit) throw fail('NOT_SIGNED_IN');
      return visit;
    }
    requireSameOrigin(request.raw);
    const visit = this.#withToken(request, visits);
    if (!visit) throw fail('FORBIDDEN', 'a request without the token of the session');
    return visit;
  }

  /**
   * Of the sessions whose cookies came, the one whose token the page shows. Pages of other ports and of subdomains can
   * plant cookies, of live sessions of their own too, but cannot make this page show a token.
   */
  #withToken(request: FastifyRequest, visits: readonly Visit[]): Visit | undefined {
    const shown = request.headers[TOKEN];
    return typeof shown === 'string' ? visits.find(({ session }) => sameText(shown, session.csrf)) : undefined;
  }

  /** The live sessions of all cookies of our name. */
  #visits(request: FastifyRequest): Visit[] {
    return this.#tokens(request).flatMap((token) => {
      const session = this.#sessions.find(token);
      if (!session) return [];
      const application = this.#context.applications.withDigest(session.keyDigest);
      if (application) return [{ application, session, token }];
      this.#sessions.close(token); // the key is gone, and with it its sessions
      return [];
    });
  }

  /** @param application  whose share of the memory is used, where somebody is signed in */
  async #read(request: FastifyRequest, application?: Application): Promise<Incoming> {
    const incoming = new Incoming(this.#context);
    try {
      incoming.readQuery(request.originalUrl);
      if (application) incoming.belongTo(application);
      await readBody(request.raw, incoming, this.#context);
      return incoming;
    } catch (cause) {
      incoming.release();
      throw cause;
    }
  }

  /** Browsers keep cookies by host, not by port: two services on one machine must not take each other's. */
  get #cookieName(): string {
    return `sosia-${this.#context.modifyPort}`;
  }

  #tokens(request: FastifyRequest): string[] {
    const ours = `${this.#cookieName}=`;
    const cookies = (request.headers.cookie ?? '').split(/;\s*/).filter((cookie) => cookie.startsWith(ours));
    return [...new Set(cookies.map((cookie) => cookie.slice(ours.length)))];
  }

  #cookie(request: FastifyRequest, token: string, seconds: number): string {
    const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
    return `${this.#cookieName}=${token}; Path=${prefix}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
  }
}
