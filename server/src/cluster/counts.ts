import { isFailure } from '../errors.ts';
import type { Connection } from './connection.ts';
import { allPicturesAlias } from './layout.ts';
import { Pictures } from './pictures.ts';

/** Applications that are counted together, and their counts; undefined where each is to be counted alone. */
interface Batch {
  readonly applications: Set<number>;
  readonly counts: Promise<ReadonlyMap<number, number> | undefined>;
}

/** Counts the pictures of applications: those whose counts are needed at the same moment by one request. */
export class Counts {
  readonly #all: Pictures;
  #next: Batch | undefined;

  constructor(connection: Connection) {
    this.#all = new Pictures(connection, allPicturesAlias(connection.address.prefix));
  }

  /** @param alone  counts those of this application, where it is the only one or where an index of another one is missing */
  async of(application: number, alone: () => Promise<number>): Promise<number> {
    const next = (this.#next ??= this.#begin());
    next.applications.add(application);
    const counts = await next.counts;
    return counts ? (counts.get(application) ?? 0) : alone();
  }

  #begin(): Batch {
    const applications = new Set<number>();
    const count = async (): Batch['counts'] => {
      await Promise.resolve(); // until all calls of the moment are there
      this.#next = undefined;
      if (applications.size === 1) return undefined;
      return this.#all.counts(applications).catch((cause: unknown) => {
        if (isFailure(cause, 'CLUSTER_INCOMPLETE', 'UNKNOWN_APPLICATION')) return undefined;
        throw cause;
      });
    };
    return { applications, counts: count() };
  }
}
