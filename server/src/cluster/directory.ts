import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fail } from '../errors.ts';
import type { ApplicationRecord, ProfileName, StoredKey } from '../store/store.ts';
import type { Connection, Reply } from './connection.ts';
import { COPIES_PAUSE, COPIES_TRIALS, fewCopies, hasCopies } from './copies.ts';
import { directoryIndex } from './layout.ts';
import { conditionOf } from './body.ts';
import { base64, bytesIn } from '../parameters/base64.ts';

/** All that services share besides pictures and blocks of profiles: one document, so that a change is one comparison. */
export interface Content {
  /** Of the last change, so that its maker recognizes it. */
  readonly change: string;
  /** The highest number ever assigned to an application. */
  readonly highest: number;
  readonly applications: readonly ApplicationRecord[];
  /** Numbers of applications that are deleted at the moment; their indexes may exist. */
  readonly unsettled: readonly number[];
  /** Numbers of applications that are created at the moment; their indexes may exist. */
  readonly reserved: readonly Reserved[];
  readonly profiles: readonly ProfileRow[];
  readonly administrators: readonly StoredKey[];
}

export interface Reserved {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ProfileRow extends ProfileName {
  /** Names its block; differs after a deletion and another addition. */
  readonly block: string;
}

interface Version {
  readonly _seq_no: number;
  readonly _primary_term: number;
}

const empty: Content = {
  change: '',
  highest: 0,
  applications: [],
  unsettled: [],
  reserved: [],
  profiles: [],
  administrators: [],
};

const DOCUMENT = 'directory';

/** The directory of a cluster as this process last read it. Changes by others are seen at the next `refresh`. */
export class Directory {
  readonly #connection: Connection;
  readonly #path: string;
  #content = empty;
  #version: Version | undefined;
  #revision = 0;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#path = `/${directoryIndex(connection.address.prefix)}/_doc`;
  }

  static async open(connection: Connection): Promise<Directory> {
    const directory = new Directory(connection);
    await directory.refresh();
    return directory;
  }

  get content(): Content {
    return this.#content;
  }

  /** Differs after each change that this process has seen. */
  get revision(): number {
    return this.#revision;
  }

  /** Reads the directory where it has changed. */
  async refresh(): Promise<void> {
    const { status, body } = await this.#get('?_source=false');
    if (status === 404 && this.#version === undefined) return;
    if (this.#isKnown(body)) return;
    this.#take(await this.#get(''));
  }

  /**
   * Changes the directory by a function of its present content, which may run several times and whose exception ends the
   * change.
   */
  async change(update: (content: Content) => Omit<Content, 'change'>): Promise<Content> {
    for (;;) {
      this.#take(await this.#get(''));
      const content: Content = { ...update(this.#content), change: randomUUID() };
      const { status, body } = await this.#write(packed(content));
      if (status !== 409) return this.#keep(content, body);
      this.#take(await this.#get(''));
      // otherwise another change was faster
      if (this.#content.change === content.change) return this.#content;
    }
  }

  /** Writes the directory unless it has changed, again where few copies have it. */
  async #write(content: Packed): Promise<Reply> {
    let version = this.#version;
    for (let trial = 0; ; trial++) {
      const condition = version ? conditionOf(version) : 'op_type=create';
      const reply = await this.#connection.send({
        method: 'PUT',
        path: `${this.#path}/${DOCUMENT}?${condition}`,
        body: { content },
        changes: true,
        expected: [409],
      });
      if (reply.status === 409 || hasCopies(reply.body._shards)) return reply;
      if (trial === COPIES_TRIALS) throw fewCopies(reply.body._shards);
      await pause(COPIES_PAUSE);
      version = reply.body;
    }
  }

  /** Stores bytes under a name, in pieces. */
  async putBlock(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    for (const [i, piece] of pieces.entries()) {
      const reply = await this.#connection.send({
        method: 'PUT',
        path: this.#blockPath(name, i),
        body: { content: { bytes: base64(piece), pieces: pieces.length } },
        changes: true,
      });
      if (!hasCopies(reply.body._shards)) throw fewCopies(reply.body._shards);
    }
  }

  /** One piece of a block, and how many there are; undefined if there is none. */
  async block(name: string, piece: number): Promise<{ bytes: Uint8Array; pieces: number } | undefined> {
    const { status, body } = await this.#connection.send({
      method: 'GET',
      path: this.#blockPath(name, piece),
      expected: [404],
    });
    if (status === 404) return undefined;
    const { bytes, pieces } = (body._source as { content: { bytes: string; pieces: number } }).content;
    return { bytes: bytesIn(bytes), pieces };
  }

  async deleteBlock(name: string): Promise<void> {
    const pieces = (await this.block(name, 0))?.pieces ?? 0;
    for (let i = pieces - 1; i >= 0; i--) {
      await this.#connection.send({ method: 'DELETE', path: this.#blockPath(name, i), changes: true, expected: [404] });
    }
  }

  #blockPath(name: string, piece: number): string {
    return `${this.#path}/block-${encodeURIComponent(name)}-${piece}`;
  }

  #get(query: string): Promise<Reply> {
    return this.#connection.send({ method: 'GET', path: `${this.#path}/${DOCUMENT}${query}`, expected: [404] });
  }

  #take({ status, body }: Reply): void {
    if (status === 404) {
      if (this.#version)
        throw fail('CLUSTER_FOREIGN', `the directory in ${this.#connection.address.prefix} was removed`);
      return;
    }
    if (!this.#isKnown(body)) this.#keep(unpacked((body._source as { content: Partial<Packed> }).content), body);
  }

  #isKnown({ _seq_no, _primary_term }: Version): boolean {
    return _seq_no === this.#version?._seq_no && _primary_term === this.#version._primary_term;
  }

  #keep(content: Content, { _seq_no, _primary_term }: Version): Content {
    this.#revision++;
    this.#version = { _seq_no, _primary_term };
    return (this.#content = content);
  }
}

/** Thousands of applications as one document of some hundred kilobytes: OpenSearch needs much memory for large ones. */
interface Packed {
  /** JSON, compressed, in base64. */
  readonly packed: string;
}

export function packed(content: Partial<Content>): Packed {
  return { packed: base64(gzipSync(JSON.stringify(content), { level: 1 })) };
}

/** @throws Failure CLUSTER_FORMAT for one of an earlier program */
function unpacked(content: Partial<Packed>): Content {
  if (content.packed === undefined) throw fail('CLUSTER_FORMAT', 'the directory was written by an earlier program');
  return { ...empty, ...(JSON.parse(gunzipSync(bytesIn(content.packed)).toString()) as Content) };
}
