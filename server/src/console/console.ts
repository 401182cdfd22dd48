import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { imageId, optional, reviewOperations } from '@sosia/contract';
import type { ApplicationActivity, ApplicationStatus, Session, SessionInfo } from '@sosia/contract';
import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Application } from '../applications/application.ts';
import { digestOf } from '../applications/keys.ts';
import { FileBytes } from '../decode/formats/file-bytes.ts';
import { formatOf } from '../decode/formats/formats.ts';
import { fail, Failure } from '../errors.ts';
import { INTERVAL_SECONDS } from '../http/activity.ts';
import { auditRefusal } from '../http/auditing.ts';
import type { HttpContext } from '../http/context.ts';
import { fetchPicture } from '../http/fetch-pictures.ts';
import { success, type Answer } from '../http/envelope.ts';
import { queryOf } from '../http/paths.ts';
import type { Plugin } from '../http/plugin.ts';
import { RequestParameters } from '../http/request-parameters.ts';
import { findCaller, readParameters, runAs } from '../http/request.ts';
import { allOperations } from '../http/run.ts';
import { readAll } from '../parameters/parameters.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { cookie } from './cookies.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sessionLimits, Sessions } from './sessions.ts';
import { guardHeaders, Site } from './site.ts';
import { applicationOf, Visits, type Visit } from './visits.ts';

const prefix = '/console';

const thumbnailsOfEvents = {
  search_id: optional(imageId),
  event_id: optional(reviewOperations.judgeEvent.parameters.properties.event_id),
};

/** In the audit log. */
const SIGN_IN = 'SignIn';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * The console, on the MODIFY port; the QUERY port redirects to it. A sign-in with an application key returns a cookie,
 * which the page's own requests carry; they run the operations of the table.
 *
 *     GET  /console/FILE                  the page
 *     GET  /console/api/session           the session, for a page that sends its token
 *     POST /console/api/sign-in           application_key in the body
 *     POST /console/api/sign-out
 *     POST /console/api/FAMILY/OPERATION  as in the interface, without the key
 *     POST /console/api/picture           the bytes at the address `image_url`, which the service fetches
 *     GET  /console/api/status            the overview of the application
 *     GET  /console/api/activity          its operations of the last 24 hours
 *     GET  /console/api/original          the picture of `image_id` where its source has it, or a way there
 *     GET  /console/api/thumbnail         the small JPEG of `image_id`, of the saved search `search_id`, or what the event
 *                                         `event_id` watches in another application; 204 if there is none
 *
 * @param folder  the built page
 */
export function consolePlugin(folder: string): Plugin {
  const site = new Site(folder);
  const sessions = new Sessions();
  return (app, { context, families }, done) => {
    app.get('/', async (request) => toConsole(request, families.includes('enginemodify') ? undefined : context));
    if (families.includes('enginemodify')) {
      servePage(app, site);
      new ConsoleRoutes(sessions, context).mount(app);
    } else {
      for (const url of [prefix, `${prefix}/*`]) app.get(url, async (request) => toModifyPort(request, context));
    }
    done();
  };
}

function servePage(app: FastifyInstance, site: Site): void {
  const file = (name: string, { headers }: FastifyRequest): Answer => {
    const answer = site.answer(name, headers);
    if (!answer) throw fail('UNKNOWN_PATH', prefix);
    return answer;
  };
  app.get(prefix, async () => moved(`${prefix}/`));
  app.get(`${prefix}/`, async (request) => file('index.html', request));
  app.get<{ Params: { name: string } }>(`${prefix}/:name`, async (request) => file(request.params.name, request));
}

/** For browsers; programs get the usual answer to an unknown path. */
function toConsole(request: FastifyRequest, elsewhere: HttpContext | undefined): Answer {
  if (!String(request.headers.accept).includes('text/html')) throw fail('UNKNOWN_PATH', '/');
  return elsewhere ? toModifyPort(request, elsewhere) : moved(`${prefix}/`);
}

function toModifyPort({ headers }: FastifyRequest, { modifyPort }: HttpContext): Answer {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return moved(`//${host}:${modifyPort}${prefix}/`);
}

function moved(location: string): Answer {
  return { http: 302, headers: { ...guardHeaders, location }, body: new Uint8Array() };
}

class ConsoleRoutes {
  readonly #sessions: Sessions;
  readonly #visits: Visits;
  readonly #context: HttpContext;

  constructor(sessions: Sessions, context: HttpContext) {
    this.#sessions = sessions;
    this.#visits = new Visits(sessions, context);
    this.#context = context;
  }

  mount(app: FastifyInstance): void {
    const api = `${prefix}/api`;
    app.get(`${api}/session`, async (request) => done(this.#session(request)));
    app.post(`${api}/sign-in`, async (request, reply) => done(await this.#signIn(request, reply)));
    app.post(`${api}/sign-out`, async (request, reply) => done(this.#signOut(request, reply)));
    app.post(`${api}/picture`, (request) => this.#picture(request));
    app.get(`${api}/original`, (request) => this.#original(request));
    app.get(`${api}/thumbnail`, (request) => this.#thumbnail(request));
    app.get(`${api}/status`, async (request) => done(await this.#status(request)));
    app.get(`${api}/activity`, async (request) => done(this.#activity(request)));
    for (const operation of allOperations(this.#context)) {
      for (const family of operation.families) {
        app.post(`${api}/${family}/${operation.name}`, { config: { operation } }, async (request) => {
          const visit = this.#visits.fromPage(request);
          if (operation.ofApplication) applicationOf(visit);
          const caller = operation.ofApplication ? visit.acting : visit.caller;
          return success(operation.success, await runAs(caller, operation, this.#context, request.raw));
        });
      }
    }
  }

  /** Null where nobody is signed in, which is no failure. */
  #session(request: FastifyRequest): Session {
    const visit = this.#visits.withToken(request);
    return visit ? this.#about(visit) : { session: null, administrator: null };
  }

  async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<Session> {
    this.#requireForm(request);
    const parameters = await readParameters(request.raw, this.#context);
    parameters.release();
    const key = parameters.raw.text('application_key');
    const caller = findCaller(key, this.#context, request.raw, SIGN_IN);
    const { token, session } = this.#sessions.open(digestOf(key!));
    this.#setCookie(request, reply, token, sessionLimits.lifetime / 1000);
    return this.#about({ caller, acting: caller, session, token });
  }

  /** Fails with FORBIDDEN. */
  #requireForm({ raw, originalUrl }: FastifyRequest): void {
    try {
      requireSameOrigin(raw);
      if (queryOf(originalUrl).length > 0) throw fail('FORBIDDEN', 'a key belongs into the body, not into an address');
    } catch (cause) {
      if (cause instanceof Failure) auditRefusal(SIGN_IN, cause, this.#context, raw);
      throw cause;
    }
  }

  #signOut(request: FastifyRequest, reply: FastifyReply): object {
    const { token } = this.#visits.fromPage(request);
    this.#sessions.close(token);
    this.#setCookie(request, reply, '', 0);
    return {};
  }

  async #picture(request: FastifyRequest): Promise<Answer> {
    const { acting } = this.#visits.fromPage(request);
    const parameters = await readParameters(request.raw, this.#context);
    try {
      parameters.assignTo(acting);
      const address = parameters.raw.text('image_url') ?? '';
      const picture = await fetchPicture(address, parameters.holdFetched(), acting.application, this.#context);
      const headers = { ...guardHeaders, 'cache-control': 'no-store', 'content-type': 'application/octet-stream' };
      return { http: 200, code: 0, headers, body: Uint8Array.from(picture) };
    } finally {
      parameters.release();
    }
  }

  async #original(request: FastifyRequest): Promise<Answer> {
    const visit = this.#visits.forReading(request);
    const application = applicationOf(visit);
    if (!visit.acting.key.scopes.includes('search')) throw fail('SCOPE_REFUSED', 'an original needs the scope search');
    const parameters = new RequestParameters(this.#context);
    parameters.readQuery(request.originalUrl);
    const { image_id } = readAll({ image_id: imageId }, parameters.raw);
    const original = await this.#context.administered?.sources.original(application, image_id);
    if (original === undefined) throw fail('UNKNOWN_IMAGE', image_id);
    if (typeof original === 'string') return moved(original);
    const type = `image/${formatOf(new FileBytes(original)).name.toLowerCase()}`;
    const headers = { 'content-type': type, 'cache-control': 'no-store', 'content-security-policy': 'sandbox' };
    return { http: 200, headers: { ...guardHeaders, ...headers }, body: Uint8Array.from(original) };
  }

  /** Never cached without revalidation: the id may belong to another picture by then. */
  async #thumbnail(request: FastifyRequest): Promise<Answer> {
    const application = applicationOf(this.#visits.forReading(request));
    const parameters = new RequestParameters(this.#context);
    parameters.readQuery(request.originalUrl);
    const jpeg = await this.#thumbnailOf(application, parameters.raw);
    if (!jpeg) return { http: 204, headers: guardHeaders, body: new Uint8Array() };
    const etag = `"${crc32c(jpeg).toString(16)}-${jpeg.length}"`;
    const headers = { ...guardHeaders, 'cache-control': 'private, no-cache', etag };
    const known = request.headers['if-none-match'] === etag;
    if (known) return { http: 304, headers, body: new Uint8Array() };
    return { http: 200, headers: { ...headers, 'content-type': 'image/jpeg' }, body: jpeg };
  }

  async #thumbnailOf(application: Application, raw: RawParameters): Promise<Uint8Array | undefined> {
    const events = this.#context.reviews?.events;
    const { search_id, event_id } = readAll(thumbnailsOfEvents, raw);
    if (search_id !== undefined) return events?.thumbnail(application, search_id);
    if (event_id === undefined) return application.references.thumbnail(readAll({ image_id: imageId }, raw).image_id);
    const of = await events?.watchedPicture(application, event_id);
    return of?.application.references.thumbnail(of.image);
  }

  async #status(request: FastifyRequest): Promise<ApplicationStatus> {
    const application = applicationOf(this.#visits.forReading(request));
    const { references } = application;
    const [count, indexBytes] = await Promise.all([references.count(), references.indexBytes()]);
    const state = await application.status();
    return {
      version,
      count,
      index_bytes: indexBytes,
      state,
      ...this.#context.activity.failed(application),
    };
  }

  #activity(request: FastifyRequest): ApplicationActivity {
    const application = applicationOf(this.#visits.forReading(request));
    return { seconds: INTERVAL_SECONDS, ...this.#context.activity.series(application) };
  }

  /** The properties of the session that the page depends on. */
  #about({ caller, acting, session: { csrf } }: Visit): Session {
    const { modifyPort, queryPort } = this.#context;
    const { application } = acting;
    const common = { csrf, ports: { modify: modifyPort, query: queryPort }, version };
    const key = { name: caller.key.name, scopes: acting.key.scopes };
    return {
      session: application ? { ...common, key, application: this.#aboutApplication(application) } : null,
      administrator: caller.application ? null : { ...common, key: { name: key.name } },
    };
  }

  #aboutApplication(application: Application): SessionInfo['application'] {
    const { name, type, traits, defaults, record } = application;
    const { nbResults: nb_results, colorWeight: color_weight } = defaults;
    const events = Boolean(this.#context.reviews?.events.appliesTo(application));
    const { number, network } = record;
    return { number, name, type, traits, events, nb_results, color_weight, network: Boolean(network) };
  }

  #setCookie(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
    reply.header('set-cookie', cookie(request, this.#context.modifyPort, value, prefix, seconds));
  }
}

function done(fields: object): Answer {
  return success('No error', fields);
}
