import { setTimeout as pause } from 'node:timers/promises';
import { fail, isFailure } from '../errors.ts';
import { errorOf } from './body.ts';
import type { Connection } from './connection.ts';
import { hasCopies } from './copies.ts';
import type { Leases } from './leases.ts';
import {
  block,
  currentIndex,
  moveAlias,
  nextIndex,
  type PictureIndex,
  removeOthers,
  unblock,
} from './picture-indexes.ts';

/** Milliseconds for which a search may still read the former index: no operation takes longer. */
const LONGEST_OPERATION = 15_000;
/** Milliseconds between two looks at the new shards. */
const POLL_MS = 500;
/** Of the new shards until changes are taken again, for which two copies are enough: more at a time would take longer. */
const FIRST_REPLICAS = 1;
/** Waits for the lease, of 10 s each: that of a process which was killed is free after 20 s. */
const MAX_WAITS = 4;

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
    const found = await currentIndex(connection, application);
    checkShards(found, shards);
    const { name: index, copies } = found;
    const target = nextIndex(connection, application);
    try {
      await removeOthers(connection, application, index); // of a splitting that was broken off
      await block(connection, index);
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

/** @throws RangeError for a number of shards that an index cannot be split into */
export function checkShards({ shards: now, maxShards }: PictureIndex, shards: number): void {
  const all = Array.from({ length: maxShards / now - 1 }, (_, i) => (i + 2) * now);
  const possible = all.filter((each) => maxShards % each === 0);
  if (possible.includes(shards)) return;
  const choice = possible.length > 0 ? `one of ${possible.join(', ')}` : 'no more';
  throw new RangeError(`the index has ${now} ${now === 1 ? 'shard' : 'shards'} and can have ${choice}, got ${shards}`);
}

/** Makes an index take changes again, or removes it, where the process that worked on it has ended in the middle. */
export async function endBroken(
  connection: Connection,
  leases: Leases,
  { name, owner }: Pick<PictureIndex, 'name' | 'owner'>,
): Promise<void> {
  const lease = leaseOf(owner ?? name);
  if (!(await leases.isAbandoned(lease))) return;
  await leases.run(lease, () => (owner === undefined ? unblock(connection, name) : restore(connection, owner)));
}

/** The leases of work on an index, by its application or its name, are not those of reviews. */
export function leaseOf(index: number | string): string {
  return `split-${index}`;
}

/** Waits for the lease of an application longer than a process that was killed has it. */
export async function whileLeased(
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

/** The index behind the alias becomes the only one, and takes changes again. In this order: a late move of the alias must fail. */
async function restore(connection: Connection, application: number): Promise<void> {
  const { name, owner } = await currentIndex(connection, application);
  await removeOthers(connection, application, name);
  if (owner !== undefined) await unblock(connection, name);
}
