import { once } from 'node:events';
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { decode } from 'cborg';
import { fail, Failure } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ClusterAddress } from './address.ts';
import type { Body } from './body.ts';
import { failureOf, isBlocked } from './failures.ts';

/** A request to the cluster. All of them may be repeated: see `send`. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the origin, with the query string. */
  readonly path: string;
  /** JSON; text is sent as it is, as lines of JSON. */
  readonly body?: object | string | undefined;
  /** Whether the answer is CBOR, in which the values of scripts may be bytes. */
  readonly binary?: boolean;
  /** Whether the cluster changes: if no answer arrives, the outcome is unknown. */
  readonly changes?: boolean;
  /** Status codes besides 2xx that are answers. */
  readonly expected?: readonly number[];
  /** No attempt lasts longer, by the clock of `performance`. */
  readonly until?: number;
}

export interface Reply {
  readonly status: number;
  readonly body: Body;
  /** Whether an earlier attempt may have made the change. */
  readonly repeated: boolean;
}

/** Milliseconds that each attempt may take: the first is short, since its host may hang. */
const ATTEMPT_TIMEOUTS_MS = [3000, 9000, 9000] as const;
/** Milliseconds for all attempts; less than an operation of the interface may take. */
const TOTAL_TIMEOUT_MS = 12_000;
/** Milliseconds before the next attempt where the cluster has answered that it cannot. */
const PAUSE_MS = 500;
/** Milliseconds for which a change waits for an index that takes none, and between two attempts. */
const LONGEST_BLOCK_MS = 9000;
const BLOCK_PAUSE_MS = 100;
/** Milliseconds for which a host that has failed is the last one tried. */
const AVOIDANCE_MS = 5000;
const CBOR = 'application/cbor';
const AGENT = { keepAlive: true, maxSockets: 64, timeout: 60_000 };

/** Milliseconds in which a host answers how it is. */
const HEALTH_TIMEOUT = 2000;

/** What a host says of the indexes. */
export interface Health {
  readonly status: 'green' | 'yellow' | 'red';
  readonly unassigned_shards: number;
  readonly initializing_shards: number;
}

const outcomes = ['answered', 'refused', 'unreachable', 'unknown'] as const;

/** Requests to one cluster through several hosts. */
export class Connection {
  readonly address: ClusterAddress;
  /** Passwords and certificates, as their files had them when they were last read. */
  #access: ClusterAddress;
  /** Sockets for other certificates are others; those of former ones close when they are idle. */
  readonly #agents = { http: new PlainAgent(AGENT), https: new SecureAgent(AGENT) };
  /** By host: until when it is avoided. */
  readonly #avoided: number[];
  readonly #metrics: Metrics | undefined;
  #next = 0;

  constructor(address: ClusterAddress, metrics?: Metrics) {
    this.address = address;
    this.#access = address;
    this.#metrics = metrics;
    for (const outcome of outcomes) metrics?.count('clusterRequests', { outcome }, 0);
    metrics?.sample('clusterHosts', () => [
      [this.address.hosts.length - this.avoidedHosts, { state: 'used' }],
      [this.avoidedHosts, { state: 'avoided' }],
    ]);
    this.#avoided = address.hosts.map(() => -Infinity);
  }

  /**
   * Sends a request, and sends it again, to another host where there is one, if no answer arrives or the cluster is not
   * ready. So a change may be done twice: its caller makes the second one harmless and recognizes its own.
   * @throws Failure CLUSTER_UNREACHABLE where nothing was sent, CLUSTER_OUTCOME_UNKNOWN for a change without an answer,
   *   and others by what the cluster answers
   */
  async send(call: Call): Promise<Reply> {
    const begin = performance.now();
    let outcome: (typeof outcomes)[number] = 'answered';
    try {
      return await this.#send(call);
    } catch (cause) {
      outcome = outcomeOf(cause);
      throw cause;
    } finally {
      this.#metrics?.count('clusterRequests', { outcome });
      this.#metrics?.observe('clusterRequestSeconds', (performance.now() - begin) / 1000);
    }
  }

  async #send(call: Call): Promise<Reply> {
    let failure: Failure | undefined;
    let mayBeDone = false;
    const until = call.until ?? performance.now() + TOTAL_TIMEOUT_MS;
    for (const [attempt, longest] of ATTEMPT_TIMEOUTS_MS.entries()) {
      const timeout = Math.floor(Math.min(longest, until - performance.now()));
      if (timeout <= 0) break;
      if (attempt > 0) this.#metrics?.count('clusterRetries');
      const host = this.#pick();
      const access = this.#access;
      try {
        const reply = await this.#unlessBlocked(this.address.hosts[host]!, call, timeout);
        if (isExpected(reply, call)) return { ...reply, repeated: mayBeDone };
        if (reply.status === 401 && this.#renewed(access)) continue;
        const answered = failureOf(reply, call.changes ?? false);
        failure = answered.failure;
        mayBeDone ||= answered.mayBeDone;
        if (!answered.again) break;
        if (attempt + 1 < ATTEMPT_TIMEOUTS_MS.length) await pause(PAUSE_MS);
      } catch (cause) {
        if (cause instanceof Failure) throw cause;
        const { sent, message } = describe(cause, timeout);
        if (!this.#renewed(access)) this.#avoid(host);
        mayBeDone ||= sent;
        failure = fail('CLUSTER_UNREACHABLE', `${this.address.hosts[host]!.host}: ${message}`);
      }
    }
    failure ??= fail('CLUSTER_UNREACHABLE', 'no time is left');
    throw call.changes && mayBeDone ? fail('CLUSTER_OUTCOME_UNKNOWN', failure.detail) : failure;
  }

  /**
   * Looks at every host at the same time, for two seconds at most, and avoids those that hang or have lost the other nodes of
   * the cluster: such a one answers reads from an earlier state.
   * @param answered  called at once with how the indexes are, for each host that knows the leader
   */
  async look(answered: (health: Health) => void = () => {}): Promise<void> {
    const { hosts, prefix } = this.address;
    const path = `/_cluster/health/${prefix},${prefix}-*?local=true`;
    const looks = hosts.map(async (host, i) => {
      const found = await this.#attempt(host, { method: 'GET', path }, HEALTH_TIMEOUT).catch(() => null);
      const body = found?.body as (Health & { discovered_cluster_manager?: boolean }) | undefined;
      if (body?.status !== undefined && body.discovered_cluster_manager !== false) answered(body);
      else this.#avoid(i);
    });
    await Promise.all(looks);
  }

  get avoidedHosts(): number {
    const now = performance.now();
    return this.#avoided.filter((until) => until > now).length;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** Reads passwords and certificates again, and says whether others are there by now than those of an attempt. */
  #renewed(used: ClusterAddress): boolean {
    try {
      const found = this.#access.readAgain?.() ?? this.#access;
      if (JSON.stringify(found) !== JSON.stringify(this.#access)) this.#access = found;
    } catch {
      // a file that is being replaced is read after the next failure
    }
    return this.#access !== used;
  }

  #avoid(host: number): void {
    this.#avoided[host] = performance.now() + AVOIDANCE_MS;
  }

  /** The next host of the cycle; one that has failed a moment ago only if all have. */
  #pick(): number {
    const now = performance.now();
    const order = this.address.hosts.map((_, i) => (this.#next + i) % this.address.hosts.length);
    this.#next++;
    return order.find((host) => this.#avoided[host]! <= now) ?? order[0]!;
  }

  /** An attempt, again for a while where the index takes no changes. */
  async #unlessBlocked(host: URL, call: Call, timeout: number): Promise<Omit<Reply, 'repeated'>> {
    for (const end = performance.now() + LONGEST_BLOCK_MS; ; await pause(BLOCK_PAUSE_MS)) {
      const reply = await this.#attempt(host, call, timeout);
      if (!isBlocked(reply) || performance.now() > end) return reply;
    }
  }

  async #attempt(host: URL, { method, path, body, binary }: Call, timeout: number): Promise<Omit<Reply, 'repeated'>> {
    const { authorization, ca, cert, key } = this.#access;
    const content =
      body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const secure = host.protocol === 'https:';
    const request = (secure ? secureRequest : plainRequest)(new URL(path, host), {
      method,
      agent: secure ? this.#agents.https : this.#agents.http,
      ...{ ca, cert, key }, // nothing where it is not secure
      signal: AbortSignal.timeout(timeout),
      headers: {
        ...(content && { 'content-type': type, 'content-length': content.length }),
        ...(authorization && { authorization }),
        ...(binary && { accept: CBOR }),
      },
    });
    request.end(content);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const encoded = response.headers['content-type']?.startsWith(CBOR);
    return { status: response.statusCode!, body: encoded ? (decode(bytes) as Body) : parsed(bytes.toString() || '{}') };
  }
}

function outcomeOf(cause: unknown): (typeof outcomes)[number] {
  const error = cause instanceof Failure ? cause.error : '';
  if (error === 'CLUSTER_OUTCOME_UNKNOWN') return 'unknown';
  return error === 'CLUSTER_UNREACHABLE' ? 'unreachable' : 'refused';
}

function isExpected({ status }: Omit<Reply, 'repeated'>, { expected }: Call): boolean {
  return (status >= 200 && status < 300) || (expected?.includes(status) ?? false);
}

/** Text that is no JSON comes from a proxy, or from something that is no cluster. */
function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { error: text.slice(0, 200) } as Body;
  }
}

/** Errors by which one side refuses the certificate of the other, so that nothing was done. */
const TLS_ERRORS = /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO|UNKNOWN_CA|^EPROTO$/;

/** Errors of a connection that was not there, so that nothing was sent. */
const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function describe(cause: unknown, timeout: number): { sent: boolean; message: string } {
  const { code = '', name, message, errors } = cause as Error & { code?: string; errors?: readonly Error[] };
  if (name === 'AbortError' || name === 'TimeoutError')
    return { sent: true, message: `no answer within ${timeout} ms` };
  const unsent = CONNECT_ERRORS.has(code) || TLS_ERRORS.test(code);
  return { sent: !unsent, message: message || errors?.[0]?.message || code };
}
