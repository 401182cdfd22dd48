import { randomUUID } from 'node:crypto';
import type { ApplicationType, Network } from '@sosia/engine';
import { isProfileName, openNetwork, openProfile, typeDefinitions, writeNetwork, writeProfile } from '@sosia/engine';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { fail, isFailure } from '../errors.ts';
import { embeddingName } from '../store/embedding-network.ts';
import { changeable } from '../store/moved.ts';
import { byName } from '../store/profile-store.ts';
import type { ApplicationRecord, ProfileName, ProfileRecord, SharedStore, StoredKey } from '../store/store.ts';
import { clusterAddress, type ClusterFiles, unencryptedPassword } from './address.ts';
import { Connection } from './connection.ts';
import { type Content, Directory, type ProfileRow } from './directory.ts';
import { giveOwnIndex } from './own-index.ts';
import { picturesAlias } from './layout.ts';
import { createOwnIndex, currentIndex, pictureIndexes, removePictures, shareIndex } from './picture-indexes.ts';
import { setUpCluster } from './set-up.ts';
import { ClusterRecords } from './records.ts';
import { checkShards, splitIndex, leaseOf, type SplitOptions } from './split-index.ts';
import { Leases } from './leases.ts';
import { Matchers } from './matchers.ts';

/** Milliseconds after which an application that is still created was abandoned. */
const LONGEST_CREATION = 600_000;

/** Bytes of a document with a part of a network. */
const PIECE = 4 * 2 ** 20;

/** For a command beside a service. Fails as `setUpCluster` does. @param ca  path of a PEM file */
export async function openClusterStore(
  address: string,
  files: ClusterFiles,
  warn: (what: string) => void,
): Promise<ClusterApplicationStore> {
  const at = clusterAddress(address, files);
  const plain = unencryptedPassword(at);
  if (plain !== undefined) warn(plain);
  const connection = new Connection(at);
  try {
    await setUpCluster(connection);
    return new ClusterApplicationStore(connection, await Directory.open(connection));
  } catch (cause) {
    connection.close();
    throw cause;
  }
}

type Change = Parameters<SharedStore['update']>[1];

/** The applications of a cluster. Reads are of the directory as this process last read it. */
export class ClusterApplicationStore implements SharedStore {
  readonly #connection: Connection;
  readonly #directory: Directory;
  readonly #leases: Leases;
  readonly profiles: ClusterProfileStore;
  #lastUses: Readonly<Record<string, string>> = {};

  constructor(connection: Connection, directory: Directory) {
    this.#connection = connection;
    this.#directory = directory;
    this.#leases = new Leases(connection);
    this.profiles = new ClusterProfileStore(directory);
  }

  list(): ApplicationRecord[] {
    return [...this.#directory.content.applications];
  }

  revision(): number {
    return this.#directory.revision;
  }

  /** Also those whose creation was broken off. */
  deleted(): number[] {
    const { unsettled, reserved } = this.#directory.content;
    const abandoned = reserved.filter(({ at }) => at < Date.now() - LONGEST_CREATION);
    return [...unsettled, ...abandoned.map(({ number }) => number)];
  }

  administrators(): readonly StoredKey[] {
    return this.#directory.content.administrators;
  }

  knows(keyDigest: string): boolean {
    const all = [...this.administrators(), ...this.list().flatMap(({ keys }) => keys)];
    return all.some(({ digest }) => digest === keyDigest);
  }

  /** Since the start of this process: each node knows the uses through itself. */
  lastUses(): Readonly<Record<string, string>> {
    return this.#lastUses;
  }

  saveLastUses(uses: Readonly<Record<string, string>>): void {
    this.#lastUses = uses;
  }

  async changeKeys(number: number | null, change: (keys: readonly StoredKey[]) => readonly StoredKey[]): Promise<void> {
    await this.#directory.change((content) => {
      if (number === null) return { ...content, administrators: change(content.administrators) };
      return withApplication(content, number, (application) => ({
        ...changeable(application),
        keys: change(application.keys),
      }));
    });
  }

  /**
   * @param network  that describes its pictures
   * @param shards  of an index of its own; without, it shares one until it has grown
   */
  async create(
    application: Omit<ApplicationRecord, 'number'>,
    network?: Network,
    shards?: number,
  ): Promise<ApplicationRecord> {
    if (network) await this.profiles.share(network);
    const number = await this.#reserve(application.type, shards);
    const created = { ...application, number };
    await this.#directory.change((content) => {
      const rest = settled(content, number);
      return { ...rest, applications: [...content.applications, created] };
    });
    return created;
  }

  async empty(number: number): Promise<ApplicationRecord> {
    const before = this.list().find((application) => application.number === number);
    if (!before) throw fail('UNKNOWN_APPLICATION', `number ${number}`);
    const next = await this.#reserve(before.type, await this.#shardsOf(before));
    const { applications } = await this.#directory.change((content) => {
      const changed = withApplication(settled(content, next), number, (application) => {
        return { ...changeable(application), number: next, origin: application.origin ?? number };
      });
      return { ...changed, unsettled: [...changed.unsettled, number] };
    });
    await this.purge(number);
    return applications.find((application) => application.number === next)!;
  }

  async update(number: number, change: Change): Promise<void> {
    await this.#directory.change((content) =>
      withApplication(content, number, (it) => ({ ...changeable(it, change), ...change })),
    );
  }

  async delete(number: number): Promise<void> {
    const numbers = new Set([number]);
    const network = this.list().find((it) => it.number === number)?.network;
    const { applications } = await this.#directory.change((content) => {
      numbers.add(content.applications.find((it) => it.number === number)?.origin ?? number);
      return {
        ...content,
        applications: content.applications.filter((it) => it.number !== number),
        unsettled: [...new Set([...content.unsettled, ...numbers])],
      };
    });
    for (const each of numbers) await this.purge(each);
    if (network && !applications.some((it) => it.network?.digest === network.digest))
      await this.profiles.delete(embeddingName(network)).catch(() => {}); // another process has deleted it
  }

  /** Frees the space of a deleted application. Where one was emptied, its records stay. */
  async purge(number: number): Promise<void> {
    await removePictures(this.#connection, number);
    await this.#leases.forget(leaseOf(number));
    const { applications } = this.#directory.content;
    if (!applications.some(({ origin }) => origin === number)) await new ClusterRecords(this.#connection).purge(number);
    await this.#directory.change((content) => ({
      ...content,
      unsettled: content.unsettled.filter((it) => it !== number),
      reserved: content.reserved.filter((it) => it.number !== number),
    }));
  }

  /** See `splitIndex`, and `giveOwnIndex` for an application that shares an index. */
  async addShards(number: number, shards: number, options: SplitOptions): Promise<void> {
    const application = this.list().find((each) => each.number === number)!;
    const { type } = application;
    if (!typeDefinitions[type].traits.references) throw fail('NOT_IN_CLUSTERS', `${type} has no pictures`);
    const index = await currentIndex(this.#connection, number);
    if (index.owner !== undefined) return splitIndex(this.#connection, this.#leases, number, shards, options);
    checkShards(index, shards);
    const matchers = new Matchers(1);
    try {
      const { signal } = options;
      await giveOwnIndex(this.#connection, this.#leases, application, { matchers, shards, signal });
    } finally {
      await matchers.close();
    }
  }

  /** For commands beside a service: ends the connection. */
  close(): void {
    this.#connection.close();
  }

  /** A new number with a place for its pictures, reserved until it has a row. */
  async #reserve(type: ApplicationType, shards: number | undefined): Promise<number> {
    const { highest } = await this.#directory.change((content) => {
      const next = content.highest + 1;
      return { ...content, highest: next, reserved: [...content.reserved, { number: next, at: Date.now() }] };
    });
    if (!typeDefinitions[type].traits.references) return highest;
    if (shards === undefined) await shareIndex(this.#connection, highest);
    else await createOwnIndex(this.#connection, highest, shards);
    return highest;
  }

  /** Undefined where its index is missing or has one: it may share an index again. */
  async #shardsOf({ number, type }: ApplicationRecord): Promise<number | undefined> {
    if (!typeDefinitions[type].traits.references) return undefined;
    const alias = picturesAlias(this.#connection.address.prefix, number);
    const [index] = await pictureIndexes(this.#connection, alias);
    return index && index.shards > 1 ? index.shards : undefined;
  }
}

/** Fails where another process has taken the number back. */
function settled(content: Content, number: number): Content {
  const reserved = content.reserved.filter((it) => it.number !== number);
  if (reserved.length === content.reserved.length)
    throw fail('CLUSTER_UNEXPECTED', `the number ${number} was taken back`);
  return { ...content, reserved };
}

function withApplication(
  content: Content,
  number: number,
  change: (application: ApplicationRecord) => ApplicationRecord,
): Content {
  const known = content.applications.some((it) => it.number === number);
  if (!known) throw fail('UNKNOWN_APPLICATION', `number ${number}`);
  return { ...content, applications: content.applications.map((it) => (it.number === number ? change(it) : it)) };
}

/** The profiles of a cluster: names in the directory, blocks in documents of their own. */
export class ClusterProfileStore {
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  async names(): Promise<ProfileName[]> {
    return this.#rows();
  }

  async list(): Promise<ProfileRecord[]> {
    const found = await Promise.all((await this.names()).map(({ name }) => this.find(name)));
    return found.filter((each) => each !== undefined);
  }

  async find(name: string): Promise<ProfileRecord | undefined> {
    const row = (await this.#rows()).find((each) => each.name === name);
    if (!row) return undefined;
    const block = await this.#bytes(row.block);
    if (row.mark !== undefined) return { profile: openNetwork(block), report: null, mistakes: new Uint8Array() };
    const report = JSON.parse(
      Buffer.from(await this.#bytes(`${row.block}.report`)).toString(),
    ) as ProfileRecord['report'];
    return { profile: openProfile(block), report, mistakes: await this.#bytes(`${row.block}.mistakes`) };
  }

  /** A stored block in pieces. */
  async *pieces(block: string): AsyncGenerator<Uint8Array> {
    for (let i = 0, pieces = 1; i < pieces; i++) {
      const found = await this.#directory.block(block, i);
      if (!found) throw fail('UNKNOWN_PROFILE', block);
      pieces = found.pieces;
      yield found.bytes;
    }
  }

  async add({ profile, report, mistakes }: ProfileRecord): Promise<void> {
    const { name } = profile;
    if (!isProfileName(name)) throw fail('BAD_PROFILE', `a name of a-z, 0-9, - and _, got ${name}`);
    if ((await this.names()).some((each) => each.name === name)) throw fail('PROFILE_EXISTS', name);
    const isNetwork = 'model' in profile;
    const block = isNetwork ? writeNetwork(profile) : writeProfile(profile);
    const parts = Array.from({ length: Math.ceil(block.length / PIECE) }, (_, i) =>
      block.subarray(i * PIECE, (i + 1) * PIECE),
    );
    const key = `${name}.${randomUUID()}`;
    await this.#directory.putBlock(key, parts);
    if (!isNetwork) {
      await this.#directory.putBlock(`${key}.report`, [Buffer.from(JSON.stringify(report))]);
      await this.#directory.putBlock(`${key}.mistakes`, [mistakes]);
    }
    const mark = `${name} ${crc32c(block.subarray(0, -4))}`;
    const row: ProfileRow = { name, block: key, ...(isNetwork && { mark, bytes: block.length }) };
    await this.#directory.change((content) => {
      if (content.profiles.some((each) => each.name === name)) throw fail('PROFILE_EXISTS', name);
      return { ...content, profiles: [...content.profiles, row].sort(byKindAndName) };
    });
  }

  /** Adds a network whose name its content gives, unless it is there. */
  async share(network: Network): Promise<void> {
    await this.add({ profile: network, report: null, mistakes: new Uint8Array() }).catch((cause: unknown) => {
      if (!isFailure(cause, 'PROFILE_EXISTS')) throw cause;
    });
  }

  async delete(name: string): Promise<void> {
    let block = '';
    await this.#directory.change((content) => {
      block = content.profiles.find((each) => each.name === name)?.block ?? block;
      const profiles = content.profiles.filter((each) => each.name !== name);
      if (profiles.length === content.profiles.length) throw fail('UNKNOWN_PROFILE', name);
      return { ...content, profiles };
    });
    for (const part of ['', '.report', '.mistakes']) await this.#directory.deleteBlock(`${block}${part}`);
  }

  async #rows(): Promise<ProfileRow[]> {
    await this.#directory.refresh();
    return [...this.#directory.content.profiles];
  }

  async #bytes(block: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const piece of this.pieces(block)) parts.push(piece);
    return new Uint8Array(Buffer.concat(parts));
  }
}

/** Trained profiles before networks, as in a data folder. */
function byKindAndName(a: ProfileName, b: ProfileName): number {
  return Number(a.mark !== undefined) - Number(b.mark !== undefined) || byName(a, b);
}
