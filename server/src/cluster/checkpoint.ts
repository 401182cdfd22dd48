import { fail } from '../errors.ts';
import type { Call, Reply } from './connection.ts';

/** Up to where an index has made all changes. */
export interface Checkpoint {
  /** Its name. */
  readonly index: string;
  /** Differs for an index that was made or restored anew. */
  readonly uuid: string;
  /** The highest sequence number of each shard without a gap before it; -1 for none. */
  readonly shards: Readonly<Record<string, number>>;
  /** The highest sequence number of each shard that was given to a change, made or not. */
  readonly given: Readonly<Record<string, number>>;
}

/** Reads how far an index is. Searches that begin after a reading see all changes up to there. */
export class CheckpointReader {
  readonly #send: (call: Call) => Promise<Reply>;
  /** What searches see. */
  #shown = '';

  /** @param send  sends a request below the index */
  constructor(send: (call: Call) => Promise<Reply>) {
    this.#send = send;
  }

  async read(): Promise<Checkpoint> {
    const { body } = await this.#send({ method: 'GET', path: '_stats/docs?level=shards' });
    const [[index, { uuid = '', shards = {} }] = ['', {}]] = Object.entries(body.indices);
    const leading = Object.entries(shards).map(([shard, copies]) => {
      const primary = copies.find(({ routing }) => routing.primary)?.seq_no;
      if (!primary) throw fail('CLUSTER_INCOMPLETE', `the shard ${shard} has no leading copy`);
      return { shard, ...primary };
    });
    const checkpoint: Checkpoint = {
      index,
      uuid,
      shards: Object.fromEntries(leading.map(({ shard, global_checkpoint }) => [shard, global_checkpoint])),
      given: Object.fromEntries(leading.map(({ shard, max_seq_no }) => [shard, max_seq_no])),
    };
    if (leading.length === 0) throw fail('CLUSTER_INCOMPLETE', `no shard of ${index} has a leading copy`);
    const text = JSON.stringify([uuid, checkpoint.shards]);
    if (text === this.#shown) return checkpoint;
    const { _shards } = (await this.#send({ method: 'POST', path: '_refresh' })).body;
    if (_shards.failed > 0) throw fail('CLUSTER_INCOMPLETE', `${_shards.failed} shards did not show their changes`);
    this.#shown = text;
    return checkpoint;
  }
}
