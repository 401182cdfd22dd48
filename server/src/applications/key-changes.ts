import { type Scope, scopes } from '@sosia/contract/operation';
import { fail } from '../errors.ts';
import { timeOf } from '../parameters/time.ts';
import type { SharedStore, StoredKey } from '../store/store.ts';
import { isOver } from './applications.ts';
import { newKey, storedKey } from './keys.ts';

export { scopes };

/** Of one application, or of the administrators. */
const MOST_KEYS = 100;
/** What the name of a replaced key ends with. */
const FORMER = / \(former\)( \d+)?$/;

/** The keys of one application, or of the administrators. */
export class Keys {
  readonly #store: SharedStore;
  readonly #number: number | null;

  /** @param number  of the application; null for the administrators */
  constructor(store: SharedStore, number: number | null) {
    this.#store = store;
    this.#number = number;
  }

  list(): readonly StoredKey[] {
    if (this.#number === null) return this.#store.administrators();
    return this.#store.list().flatMap((record) => (record.number === this.#number ? record.keys : []));
  }

  /**
   * Makes a key; only this call returns its secret. Fails with KEY_NAME_TAKEN, MISSING_PARAMETER or BAD_PARAMETER.
   * @param expires  ISO 8601
   */
  async create(values: { name: string; scopes?: readonly string[]; expires?: string }): Promise<Made> {
    const { name, scopes, expires } = values;
    const secret = newKey();
    const key = storedKey(secret, { name, scopes: this.#scopes(scopes), ...expiring(expires) });
    await this.#store.changeKeys(this.#number, (keys) => {
      requireFree(keys, name);
      return withOne(keys, key);
    });
    return { key, secret };
  }

  /**
   * Fails with UNKNOWN_KEY, KEY_NAME_TAKEN or BAD_PARAMETER.
   * @param selector  the id or the name
   */
  async set(
    selector: string,
    values: { name?: string; scopes?: readonly string[]; expires?: string },
  ): Promise<StoredKey> {
    const { name, scopes, expires } = values;
    return this.#replace(selector, (key, others) => {
      if (name !== undefined) requireFree(others, name);
      const { expires: before, ...rest } = key;
      return {
        ...rest,
        ...(expires === undefined ? before !== undefined && { expires: before } : expiring(expires)),
        ...(name !== undefined && { name }),
        ...(scopes && { scopes: this.#scopes(scopes) }),
      };
    });
  }

  /**
   * Makes a key with the name, the scopes and the end of another one, which is accepted for some time longer.
   * @param grace  seconds
   */
  async rotate(selector: string, grace: number): Promise<Made & { former: StoredKey }> {
    const secret = newKey();
    const end = new Date(Date.now() + 1000 * grace).toISOString();
    let made: StoredKey | undefined;
    const former = await this.#replace(
      selector,
      (key, others) => {
        made = storedKey(secret, { name: key.name, scopes: key.scopes, replaces: key.id, ...expiring(key.expires) });
        const expires = key.expires !== undefined && key.expires < end ? key.expires : end;
        return { ...key, name: freeName(`${key.name.replace(FORMER, '')} (former)`, [...others, key]), expires };
      },
      () => made!,
    );
    return { key: made!, secret, former };
  }

  /** From now on the key is unknown. @returns the former key */
  async revoke(selector: string): Promise<StoredKey> {
    let revoked: StoredKey | undefined;
    await this.#store.changeKeys(this.#number, (keys) => {
      revoked = found(keys, selector);
      return keys.filter((each) => each !== revoked);
    });
    return revoked!;
  }

  async #replace(
    selector: string,
    changed: (key: StoredKey, others: readonly StoredKey[]) => StoredKey,
    add?: () => StoredKey,
  ): Promise<StoredKey> {
    let result: StoredKey | undefined;
    await this.#store.changeKeys(this.#number, (keys) => {
      const key = found(keys, selector);
      const next = changed(
        key,
        keys.filter((each) => each !== key),
      );
      result = next;
      const all = keys.map((each) => (each === key ? next : each));
      return add ? withOne(all, add()) : all;
    });
    return result!;
  }

  /** Administrators have one scope. */
  #scopes(given: readonly string[] | undefined): readonly Scope[] {
    if (this.#number === null) return ['administer'];
    if (!given) throw fail('MISSING_PARAMETER', `expected scopes, some of ${scopes.join(', ')}`);
    return given as readonly Scope[];
  }
}

export interface Made {
  readonly key: StoredKey;
  /** The key itself. */
  readonly secret: string;
}

function found(keys: readonly StoredKey[], selector: string): StoredKey {
  const key = keys.find(({ id }) => id === selector) ?? keys.find(({ name }) => name === selector);
  if (!key) throw fail('UNKNOWN_KEY', selector);
  return key;
}

/** Room is made by the keys that have expired, the oldest first. */
function withOne(keys: readonly StoredKey[], key: StoredKey): StoredKey[] {
  const all = [...keys];
  while (all.length >= MOST_KEYS) {
    const expired = all.findIndex((each) => isOver(each));
    if (expired < 0) throw fail('BAD_PARAMETER', `expected at most ${MOST_KEYS} keys`);
    all.splice(expired, 1);
  }
  return [...all, key];
}

function requireFree(keys: readonly StoredKey[], name: string): void {
  if (keys.some((other) => other.name === name || other.id === name)) throw fail('KEY_NAME_TAKEN', name);
}

function freeName(name: string, others: readonly StoredKey[]): string {
  let free = name;
  for (let i = 2; others.some((other) => other.name === free); i++) free = `${name} ${i}`;
  return free;
}

/** `never` is no end. Fails with BAD_PARAMETER. */
function expiring(text: string | undefined): { expires?: string } {
  return text === undefined || text === 'never' ? {} : { expires: timeOf('expires', text) };
}
