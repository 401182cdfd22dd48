import { dirname } from 'node:path';
import { oneOf, type Random } from '../pictures/random.ts';
import type { DiskEvent } from './trace.ts';

/**
 * How names survive: `ordered` as on ext4, where those not yet flushed survive up to some moment and each flush of a file takes
 * all earlier ones along; `posix`, where any of them survive and only a flush of their folder is a promise.
 */
export type NameModel = 'ordered' | 'posix';

/** How the unflushed writes to a file survive; `torn` is a prefix whose next write is cut at a sector, `zeros` has the length without the bytes. */
const survivals = ['none', 'all', 'subset', 'prefix', 'zeros', 'torn'] as const;

const SECTOR = 512;

type NameEvent = Extract<DiskEvent, { kind: 'create' | 'rename' | 'unlink' }>;
type ContentEvent = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;
interface Pending<E> {
  readonly event: E;
  /** Its place among all events. */
  readonly at: number;
}

/**
 * A disk that takes events one after another and can say what a power cut at this moment may leave. Writes that were not
 * flushed survive in any subset, the last of them torn; names by the model. Folders are there as soon as they are made,
 * and a device keeps what it has flushed.
 */
export class Disk {
  readonly #model: NameModel;
  readonly #durable = new Map<number, Content>();
  readonly #unflushed = new Map<number, Pending<ContentEvent>[]>();
  readonly #names = new Map<string, number>();
  #unflushedNames: Pending<NameEvent>[] = [];
  #taken = 0;

  constructor(model: NameModel) {
    this.#model = model;
  }

  take(event: DiskEvent): void {
    const at = this.#taken++;
    switch (event.kind) {
      case 'create':
        this.#durable.set(event.inode, new Content());
        this.#unflushed.set(event.inode, []);
        this.#unflushedNames.push({ event, at });
        return;
      case 'rename':
      case 'unlink':
        this.#unflushedNames.push({ event, at });
        return;
      case 'write':
      case 'truncate':
        this.#unflushed.get(event.inode)!.push({ event, at });
        return;
      case 'flush': {
        const content = this.#durable.get(event.inode)!;
        const pending = this.#unflushed.get(event.inode)!;
        for (const { event: change } of pending.filter(({ at }) => at < event.since)) content.apply(change);
        this.#unflushed.set(
          event.inode,
          pending.filter(({ at }) => at >= event.since),
        );
        if (this.#model === 'ordered') this.#flushNames((_, at) => at < event.since);
        return;
      }
      case 'flush folder':
        return this.#flushNames((name, at) => at < event.since && dirname(name.path) === event.path);
    }
  }

  /** One of the states that a power cut may leave: the files by path. */
  cut(random: Random): Map<string, Uint8Array> {
    const names = new Map(this.#names);
    const kept = Math.floor(random() * (this.#unflushedNames.length + 1));
    this.#unflushedNames.forEach(({ event }, i) => {
      if (this.#model === 'ordered' ? i < kept : random() < 0.5) rename(names, event);
    });
    const survival = oneOf(random, survivals);
    const files = new Map<string, Uint8Array>();
    for (const [path, inode] of names) files.set(path, this.#contentAfterCut(inode, survival, random));
    return files;
  }

  #contentAfterCut(inode: number, survival: (typeof survivals)[number], random: Random): Uint8Array {
    const content = this.#durable.get(inode)!.copy();
    const pending = this.#unflushed.get(inode)!;
    const prefix = Math.floor(random() * (pending.length + 1));
    pending.forEach(({ event }, i) => {
      const survives = {
        none: false,
        all: true,
        prefix: i < prefix,
        torn: i < prefix,
        subset: random() < 0.5,
        zeros: random() < 0.5,
      }[survival];
      if (survives) content.apply(event);
      else if (event.kind === 'write') {
        const { offset, bytes } = event;
        if (survival === 'zeros') content.reach(offset + bytes.length);
        if (survival === 'torn' && i === prefix) {
          const whole = Math.floor((random() * (bytes.length + 1)) / SECTOR) * SECTOR;
          content.apply({ ...event, bytes: bytes.subarray(0, whole) });
        }
      }
    });
    return content.bytes();
  }

  #flushNames(covered: (name: NameEvent, at: number) => boolean): void {
    const rest: Pending<NameEvent>[] = [];
    for (const pending of this.#unflushedNames) {
      if (covered(pending.event, pending.at)) rename(this.#names, pending.event);
      else rest.push(pending);
    }
    this.#unflushedNames = rest;
  }
}

function rename(names: Map<string, number>, event: NameEvent): void {
  if (event.kind === 'create') return void names.set(event.path, event.inode);
  const inode = names.get(event.path);
  names.delete(event.path);
  if (event.kind === 'rename' && inode !== undefined) names.set(event.to, inode);
}

/** The bytes of a file, with room to grow. */
class Content {
  #room = new Uint8Array(4096);
  #length = 0;

  apply(change: ContentEvent): void {
    if (change.kind === 'truncate') {
      this.#room.fill(0, Math.min(change.length, this.#length), this.#length);
      this.#length = Math.min(change.length, this.#length);
      return this.reach(change.length);
    }
    this.reach(change.offset + change.bytes.length);
    this.#room.set(change.bytes, change.offset);
  }

  /** Zeros up to a length, if it is shorter. */
  reach(length: number): void {
    if (length > this.#room.length) {
      const room = new Uint8Array(2 * length);
      room.set(this.bytes());
      this.#room = room;
    }
    this.#length = Math.max(this.#length, length);
  }

  copy(): Content {
    const copy = new Content();
    copy.#room = this.#room.slice();
    copy.#length = this.#length;
    return copy;
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }
}
