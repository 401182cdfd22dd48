import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../errors.ts';
import { errorOf } from './body.ts';
import type { Connection } from './connection.ts';
import { COPIES_PAUSE, COPIES_TRIALS } from './copies.ts';
import { allPicturesAlias, ownerOf, ownIndex, picturesAlias, picturesLayout, sharedIndex } from './layout.ts';
import { Pictures } from './pictures.ts';
import { createIndex, replicasFor } from './set-up.ts';

/** Applications that share an index. */
const MAX_APPLICATIONS = 100;

/** Documents that one request removes. */
const REMOVED_AT_ONCE = 1000;

/** The settings that tell how many copies a shard has. A split does not take them over. */
export interface Copies {
  readonly number_of_replicas: string;
  readonly auto_expand_replicas?: string | undefined;
}

/** An index of pictures. */
export interface PictureIndex {
  readonly name: string;
  /** The application that it is for; undefined where applications share it. */
  readonly owner: number | undefined;
  /** Those whose pictures are read and written in it. */
  readonly applications: readonly number[];
  readonly shards: number;
  /** The most shards that it can be split into. */
  readonly maxShards: number;
  readonly copies: Copies;
  /** Whether it takes no changes. */
  readonly isBlocked: boolean;
}

interface State {
  readonly metadata?: {
    readonly indices?: Readonly<
      Record<
        string,
        {
          readonly settings: {
            readonly index: Copies & {
              readonly number_of_shards: string;
              readonly blocks?: { readonly write?: string };
            };
          };
          readonly aliases?: readonly string[];
          readonly routing_num_shards: number;
        }
      >
    >;
  };
}

/**
 * The indexes of pictures behind a name, all by default. They are read of the state of the cluster, since the settings of
 * an index that was split lack the number that limits further splits.
 * @param name  of an alias or an index; may have `*`
 */
export async function pictureIndexes(
  connection: Connection,
  name = `${connection.address.prefix}-*`,
): Promise<PictureIndex[]> {
  const { prefix } = connection.address;
  const fields = ['settings', 'aliases', 'routing_num_shards'].map((field) => `metadata.indices.*.${field}`);
  const path = `/_cluster/state/metadata/${name}?filter_path=${fields.join()}`;
  const { body } = await connection.send({ method: 'GET', path, expected: [404] });
  return Object.entries((body as unknown as State).metadata?.indices ?? {}).flatMap(
    ([index, { settings, aliases = [], routing_num_shards: maxShards }]) => {
      const owner = ownerOf(prefix, index);
      if (owner === undefined && !index.startsWith(sharedIndex(prefix, ''))) return [];
      const { number_of_shards, number_of_replicas, auto_expand_replicas, blocks } = settings.index;
      return [
        {
          name: index,
          owner,
          applications: aliases.map((alias) => Number(alias.slice(prefix.length + 1))).filter((it) => !isNaN(it)),
          shards: Number(number_of_shards),
          maxShards,
          copies: { number_of_replicas, auto_expand_replicas },
          isBlocked: blocks?.write === 'true',
        },
      ];
    },
  );
}

/** The index that has the pictures of an application. */
export async function currentIndex(connection: Connection, application: number): Promise<PictureIndex> {
  const [found] = await pictureIndexes(connection, picturesAlias(connection.address.prefix, application));
  if (!found) throw fail('UNKNOWN_APPLICATION', `number ${application}`);
  return found;
}

/** Makes an empty index for pictures. */
export async function createPictureIndex(
  connection: Connection,
  index: string,
  shards: number,
  aliases: readonly string[] = [],
): Promise<void> {
  const replicas = await replicasFor(connection);
  await createIndex(connection, index, picturesLayout(aliases, { shards, replicas }), replicas);
}

/** Gives a new application an index of its own. */
export async function createOwnIndex(connection: Connection, application: number, shards: number): Promise<void> {
  const { prefix } = connection.address;
  const aliases = [picturesAlias(prefix, application), allPicturesAlias(prefix)];
  await createPictureIndex(connection, ownIndex(prefix, application), shards, aliases);
}

/** Gives a new application a place in an index that it shares; a new one is made where all are full. */
export async function shareIndex(connection: Connection, application: number): Promise<void> {
  const { prefix } = connection.address;
  const shared = (await pictureIndexes(connection, sharedIndex(prefix, '*'))).filter(
    ({ owner }) => owner === undefined,
  );
  let index = shared.find(({ applications }) => applications.length < MAX_APPLICATIONS)?.name;
  if (index === undefined) {
    index = sharedIndex(prefix, shared.length + 1);
    await createPictureIndex(connection, index, 1, [allPicturesAlias(prefix)]);
  }
  const filter = { term: { application } };
  const actions = [{ add: { index, alias: picturesAlias(prefix, application), filter } }];
  await connection.send({ method: 'POST', path: '/_aliases', body: { actions }, changes: true });
}

/** Removes the pictures of a deleted application. */
export async function removePictures(connection: Connection, application: number): Promise<void> {
  const alias = picturesAlias(connection.address.prefix, application);
  for (const { name: index, owner } of await pictureIndexes(connection, alias)) {
    if (owner !== undefined) continue;
    const actions = [{ remove: { index, alias } }];
    // no change is made behind it any more
    await connection.send({ method: 'POST', path: '/_aliases', body: { actions }, changes: true, expected: [404] });
    await removeDocuments(connection, index, application);
  }
  await removeOthers(connection, application, null);
}

/** Removes what an index has of an application whose pictures are elsewhere, or nowhere. */
export async function removeDocuments(connection: Connection, index: string, application: number): Promise<void> {
  const pictures = new Pictures(connection, index);
  const body = { size: REMOVED_AT_ONCE, _source: false, track_total_hits: false, query: { term: { application } } };
  for (let trial = 0; trial <= COPIES_TRIALS;) {
    await pictures.send({ method: 'POST', path: '_refresh' });
    const found = await pictures.documents(body);
    if (found.length === 0) return;
    const lines = found.map(({ _id }) => `${JSON.stringify({ delete: { _id } })}\n`).join('');
    const { items } = (await pictures.send({ method: 'POST', path: '_bulk', body: lines, changes: true })).body;
    if (!items.some((item) => item['delete']!.error)) continue;
    trial++;
    await pause(COPIES_PAUSE); // another application moves out of the index
  }
  throw fail('CLUSTER_INCOMPLETE', `${index} has pictures of a deleted application`);
}

/** Removes the generations of the index of an application except one; all for null. */
export async function removeOthers(connection: Connection, application: number, kept: string | null): Promise<void> {
  const { prefix } = connection.address;
  const path = `/${picturesAlias(prefix, application)}-*/_alias`;
  const { body } = await connection.send({ method: 'GET', path, expected: [404] });
  const generations = Object.keys(body).filter((index) => ownerOf(prefix, index) === application);
  for (const index of generations.filter((each) => each !== kept))
    await connection.send({ method: 'DELETE', path: `/${index}`, changes: true, expected: [404] });
}

/** A name that no earlier attempt had, so that a late request of one cannot concern this one. */
export function nextIndex(connection: Connection, application: number): string {
  return ownIndex(connection.address.prefix, application, Math.floor(Date.now() / 1000));
}

/** In one step, so that a search is of one of the two. */
export async function moveAlias(connection: Connection, application: number, from: string, to: string): Promise<void> {
  const { prefix } = connection.address;
  const [alias, all] = [picturesAlias(prefix, application), allPicturesAlias(prefix)];
  const left = ownerOf(prefix, from) === undefined ? [alias] : [alias, all];
  const actions = [
    { add: { index: to, aliases: [alias, all] } },
    ...left.map((each) => ({ remove: { index: from, alias: each } })),
  ];
  const call = { method: 'POST', path: '/_aliases', body: { actions }, changes: true, expected: [404] } as const;
  const { status, body } = await connection.send(call);
  // 404 also after an attempt without an answer that has moved it
  if (status === 404 && (await currentIndex(connection, application)).name !== to)
    throw fail('CLUSTER_UNEXPECTED', errorOf(body).reason ?? '');
}

/** Until `unblock`, all changes of the index are refused; those at work are made before this resolves. */
export async function block(connection: Connection, index: string): Promise<void> {
  await connection.send({ method: 'PUT', path: `/${index}/_block/write`, changes: true });
}

export async function unblock(connection: Connection, index: string): Promise<void> {
  const body = { 'index.blocks.write': null };
  await connection.send({ method: 'PUT', path: `/${index}/_settings`, body, changes: true });
}
