import type { ApplicationRecord } from '../store/store.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import type { Backend, HeldReferences } from './backend.ts';
import { type EmbeddedParts, EmbeddedReferences } from './embedded-references.ts';

/** Applications and pictures in a data folder, indexed in this process. */
export class EmbeddedBackend implements Backend {
  readonly applications: ApplicationStore;
  readonly #parts: EmbeddedParts;

  constructor(applications: ApplicationStore, parts: EmbeddedParts) {
    this.applications = applications;
    this.#parts = parts;
  }

  open(record: ApplicationRecord, stored: boolean): HeldReferences {
    return new EmbeddedReferences(record, this.#parts, { stored });
  }

  async purge(number: number): Promise<void> {
    const { images, saving } = this.#parts;
    await saving?.indexes.remove(number);
    await images.purge(number);
    // the records of an application that was emptied have its first number
    const living = new Set(this.applications.list().map((record) => record.origin ?? record.number));
    await images.forget(this.applications.deleted().filter((former) => !living.has(former)));
  }
}
