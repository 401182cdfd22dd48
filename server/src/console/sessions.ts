import { randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOf } from '../applications/keys.ts';

const HOUR = 3_600_000;

export const sessionLimits = {
  /** Milliseconds from the sign-in, and from the last request; the first to pass ends the session. */
  lifetime: 12 * HOUR,
  idle: 2 * HOUR,
  /** Concurrent sessions, of one application and of all. A further one ends one of the application with most. */
  mostOfOne: 100,
  most: 1_000,
};

/** A session: for one application, by the digest of its key. The key itself is not stored. */
export interface Session {
  readonly keyDigest: string;
  /**
   * Sent with every request besides the cookie: other sites can make a browser send the cookie, but cannot read this.
   */
  readonly csrf: string;
  readonly since: number;
}

/** The sessions of this process, in memory. The stored digest of a token cannot be inverted. */
export class Sessions {
  readonly #limits: typeof sessionLimits;
  /** By the digest of the token, the most recently used one at the end. */
  readonly #byToken = new Map<string, Session & { seen: number }>();

  constructor(limits: Partial<typeof sessionLimits> = {}) {
    this.#limits = { ...sessionLimits, ...limits };
  }

  /** @param now  milliseconds of a monotonic clock */
  open(keyDigest: string, now = performance.now()): { token: string; session: Session } {
    for (const [digest, session] of this.#byToken) if (this.#isOver(session, now)) this.#byToken.delete(digest);
    this.#makeRoomFor(keyDigest);

    const token = secret();
    const session = { keyDigest, csrf: secret(), since: now, seen: now };
    this.#byToken.set(digestOf(token), session);
    return { token, session };
  }

  find(token: string, now = performance.now()): Session | undefined {
    const digest = digestOf(token);
    const session = this.#byToken.get(digest);
    if (!session) return undefined;

    this.#byToken.delete(digest);
    if (this.#isOver(session, now)) return undefined;
    session.seen = now;
    this.#byToken.set(digest, session);
    return session;
  }

  close(token: string): void {
    this.#byToken.delete(digestOf(token));
  }

  /** Ends the session with the longest inactivity: of this application at its limit, else of the one with most. */
  #makeRoomFor(keyDigest: string): void {
    const tokens = new Map<string, string[]>();
    for (const [token, { keyDigest: owner }] of this.#byToken) tokens.set(owner, [...(tokens.get(owner) ?? []), token]);
    const own = tokens.get(keyDigest) ?? [];
    const isFull = this.#byToken.size >= this.#limits.most;
    const most = () => [...tokens.values()].reduce((a, b) => (b.length > a.length ? b : a));
    const [ended] = own.length >= this.#limits.mostOfOne ? own : isFull ? most() : [];
    if (ended !== undefined) this.#byToken.delete(ended);
  }

  #isOver({ since, seen }: { since: number; seen: number }, now: number): boolean {
    return now - since >= this.#limits.lifetime || now - seen >= this.#limits.idle;
  }
}

/** Takes the same time for any position of a difference. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
