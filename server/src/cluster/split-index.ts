import { setTimeout as pause } from 'node:timers/promises';
import { fail, isFailure } from '../errors.ts';
import { errorOf } from './body.ts';
import type { Connection } from './connection.ts';
import { hasCopies } from './copies.ts';
import { picturesAlias, picturesIndex } from './layout.ts';
import type { Leases } from './leases.ts';

/** Milliseconds for which a search may still read the former index: no operation takes longer. */
const LONGEST_OPERATION = 15_000;
/** Milliseconds between two looks at the new shards. */
const POLL_MS = 500;
/** Of the new shards until changes are taken again, for which two copies are enough: more at a time would take longer. */
const FIRST_REPLICAS = 1;
/** Waits for the lease, of 10 s each: that of a process which was killed is free after 20 s. */
const MAX_WAITS = 4;

/** Where the pictures of an application are. */
interface CurrentIndex {
  readonly index: string;
  readonly shards: number;
  /** Numbers of shards that the index can be split into, ascending. */
  readonly possible: readonly number[];
  /** The settings that tell how many copies a shard has. A split does not take them over. */
  readonly copies: Copies;
}

interface Copies {
  readonly number_of_replicas: string;
  readonly auto_expand_replicas?: string | undefined;
}

export interface SplitOptions {
  /** Ends the splitting, and the application is as before. */
  readonly signal?: AbortSignal;
  /** Called with the new shards that have enough copies. */
  readonly progress?: (ready: number) => void;
}

/**
 * Gives an application more shards. The cluster links the files of its index into a new one and removes from each shard what belongs to another
 * one; then the alias of the application changes. Searches are answered throughout. Changes are refused with OVERLOADED
 * until each new shard has two copies, or its only one.
 *
 * @throws RangeError for a number of shards that the index cannot be split into
 * @throws Failure OVERLOADED while another process splits it, CLUSTER_… as `Connection.send`
 */
export async function splitIndex(
  connection: Connection,
  leases: Leases,
  application: number,
  shards: number,
  options: SplitOptions = {},
): Promise<void> {
  await whileLeased(leases, application, async (checkLease) => {
    const { index, shards: now, possible, copies } = await currentIndex(connection, application);
    if (!possible.includes(shards)) {
      const choice = possible.length > 0 ? `one of ${possible.join(', ')}` : 'no more';
      throw new RangeError(
        `the index has ${now} ${now === 1 ? 'shard' : 'shards'} and can have ${choice}, got ${shards}`,
      );
    }
    const target = nextIndex(connection, application);
    try {
      await removeOthers(connection, application, index); // of a splitting that was broken off
      await connection.send({ method: 'PUT', path: `/${index}/_block/write`, changes: true });
      await split(connection, index, target, {
        shards,
        replicas: Math.min(FIRST_REPLICAS, Number(copies.number_of_replicas)),
      });
      await untilCopies(connection, target, options);
      await connection.send({ method: 'PUT', path: `/${target}/_settings`, body: { index: copies }, changes: true });
      checkLease();
      await moveAlias(connection, application, index, target);
    } catch (cause) {
      checkLease(); // otherwise another process has restored the index, and may be splitting it
      await restore(connection, application);
      throw cause;
    }
    await pause(LONGEST_OPERATION);
    await removeOthers(connection, application, target);
  });
}

/** Makes an application take changes again whose splitting was broken off by the end of its process. */
export async function endBrokenSplit(connection: Connection, leases: Leases, application: number): Promise<void> {
  if (!(await leases.isAbandoned(leaseOf(application)))) return;
  await leases.run(leaseOf(application), () => restore(connection, application));
}

/** The leases of splitting are not those of reviews. */
export function leaseOf(application: number): string {
  return `split-${application}`;
}

async function whileLeased(
  leases: Leases,
  application: number,
  work: (checkLease: () => void) => Promise<void>,
): Promise<void> {
  let begun = false;
  for (let wait = 1; ; wait++) {
    try {
      return await leases.run(leaseOf(application), (checkLease) => {
        begun = true;
        return work(checkLease);
      });
    } catch (cause) {
      const isWaiting = isFailure(cause, 'OVERLOADED') && !begun;
      if (!isWaiting || wait === MAX_WAITS) throw cause;
    }
  }
}

/** The state of the cluster, since the settings of an index that was split lack the number that limits further splits. */
async function currentIndex(connection: Connection, application: number): Promise<CurrentIndex> {
  const alias = picturesAlias(connection.address.prefix, application);
  const path = `/_cluster/state/metadata/${alias}?filter_path=metadata.indices`;
  const { status, body } = await connection.send({ method: 'GET', path, expected: [404] });
  const [found] = Object.entries((body as unknown as State).metadata?.indices ?? {});
  if (status === 404 || !found) throw fail('UNKNOWN_APPLICATION', `number ${application}`);
  const [index, { settings, routing_num_shards: most }] = found;
  const shards = Number(settings.index.number_of_shards);
  const possible = Array.from({ length: most / shards - 1 }, (_, i) => (i + 2) * shards);
  const { number_of_replicas, auto_expand_replicas } = settings.index;
  const copies = { number_of_replicas, auto_expand_replicas };
  return { index, shards, possible: possible.filter((each) => most % each === 0), copies };
}

interface State {
  readonly metadata?: {
    readonly indices: Readonly<
      Record<
        string,
        {
          readonly settings: { readonly index: Copies & { readonly number_of_shards: string } };
          /** The most shards that the index can be split into. */
          readonly routing_num_shards: number;
        }
      >
    >;
  };
}

/** A name that no earlier attempt had, so that a late request of one cannot concern this one. */
function nextIndex(connection: Connection, application: number): string {
  return picturesIndex(connection.address.prefix, application, Math.floor(Date.now() / 1000));
}

async function split(
  connection: Connection,
  index: string,
  target: string,
  { shards, replicas }: { readonly shards: number; readonly replicas: number },
): Promise<void> {
  const settings = { index: { number_of_shards: shards, number_of_replicas: replicas, 'blocks.write': null } };
  const path = `/${index}/_split/${target}?wait_for_active_shards=0`;
  const { status, body } = await connection.send({
    method: 'POST',
    path,
    body: { settings },
    changes: true,
    expected: [400],
  });
  if (status !== 400) return;
  const { type, reason = '' } = errorOf(body);
  if (type !== 'resource_already_exists_exception') throw fail('CLUSTER_UNEXPECTED', reason); // an attempt without an answer has made it
}

async function untilCopies(connection: Connection, target: string, { signal, progress }: SplitOptions): Promise<void> {
  for (let last = -1; ; await pause(POLL_MS)) {
    signal?.throwIfAborted();
    const path = `/_cluster/health/${target}?level=shards`;
    const { body } = await connection.send({ method: 'GET', path });
    const { number_of_replicas: replicas, shards = {} } = body.indices[target] as unknown as Health;
    const all = Object.values(shards);
    const ready = all.filter(({ active_shards: successful }) => hasCopies({ total: 1 + replicas, successful })).length;
    if (ready !== last) progress?.((last = ready));
    if (all.length > 0 && ready === all.length) return;
  }
}

interface Health {
  readonly number_of_replicas: number;
  readonly shards?: Readonly<Record<string, { readonly active_shards: number }>>;
}

/** In one step, so that a search is of one of the two. */
async function moveAlias(connection: Connection, application: number, from: string, to: string): Promise<void> {
  const alias = picturesAlias(connection.address.prefix, application);
  const actions = [{ add: { index: to, alias } }, { remove: { index: from, alias } }];
  const call = { method: 'POST', path: '/_aliases', body: { actions }, changes: true, expected: [404] } as const;
  const { status, body } = await connection.send(call);
  // 404 also after an attempt without an answer that has moved it
  if (status === 404 && (await currentIndex(connection, application)).index !== to)
    throw fail('CLUSTER_UNEXPECTED', errorOf(body).reason ?? '');
}

/** The index behind the alias becomes the only one, and takes changes again. In this order: a late move of the alias must fail. */
async function restore(connection: Connection, application: number): Promise<void> {
  const { index } = await currentIndex(connection, application);
  await removeOthers(connection, application, index);
  const body = { 'index.blocks.write': null };
  await connection.send({ method: 'PUT', path: `/${index}/_settings`, body, changes: true });
}

/** Removes the generations of the index of an application except one; all for null. */
export async function removeOthers(connection: Connection, application: number, kept: string | null): Promise<void> {
  const alias = picturesAlias(connection.address.prefix, application);
  const { body } = await connection.send({ method: 'GET', path: `/${alias}-*/_alias`, expected: [404] });
  const generations = Object.keys(body).filter((index) => /^-\d+$/.test(index.slice(alias.length)));
  for (const index of generations.filter((each) => each !== kept))
    await connection.send({ method: 'DELETE', path: `/${index}`, changes: true, expected: [404] });
}
