import { setTimeout as pause } from 'node:timers/promises';
import type { Application, PictureToHash } from '../applications/application.ts';
import { storedPicture } from '../applications/references.ts';
import { unless } from '../errors.ts';
import type { Details, NewImage } from '../store/store.ts';

/** Of new pictures, and until when they are waited for. */
interface KeepOptions {
  readonly keywords: readonly string[];
  readonly signal: AbortSignal;
}

/** What a pass brings pictures to: an application of this process or of a service. `Kept` is what is to be stored beside the id. */
export interface Receiver<Kept> {
  /** Those of the ids that are of a picture. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** @param own  the picture that is replaced, whose keywords and metadata stay */
  kept(content: Uint8Array, options: KeepOptions, own: string | undefined): Promise<Kept>;
  /** The same as a picture of this content has; undefined where it was removed. */
  copied(id: string, content: Uint8Array): Promise<Kept | undefined>;
  /** Fails with IMAGE_EXISTS. */
  add(id: string, kept: Kept): Promise<void>;
  /** Fails with IMAGE_NOT_FOUND. */
  delete(id: string): Promise<void>;
}

/** Milliseconds after which a picture is tried again that the service was too busy for. */
const BUSY_PAUSE = 1000;

type Stored = Omit<NewImage, 'id'> & PictureToHash;

export class ApplicationReceiver implements Receiver<Stored> {
  readonly #application: Application;

  constructor(application: Application) {
    this.#application = application;
  }

  present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#application.references.present(ids);
  }

  async kept(content: Uint8Array, { keywords, signal }: KeepOptions, own: string | undefined): Promise<Stored> {
    const data = own === undefined ? undefined : await unless('UNKNOWN_IMAGE', this.#dataOf(own));
    const kept = await this.#described(content, signal);
    const details = data?.metadata ? { ...kept.details, metadata: data.metadata } : kept.details;
    return { keywords: data?.keywords ?? keywords, ...kept, details, file: content };
  }

  copied(id: string, file: Uint8Array): Promise<Stored | undefined> {
    const picture = storedPicture(this.#application.references, id);
    return unless(
      'UNKNOWN_IMAGE',
      picture.then(({ id: _, ...rest }) => ({ ...rest, file })),
    );
  }

  add(id: string, { file, pdq, ...kept }: Stored): Promise<void> {
    return this.#application.add({ id, ...kept }, { file, pdq });
  }

  delete(id: string): Promise<void> {
    return this.#application.references.delete(id);
  }

  async #dataOf(id: string): Promise<Pick<NewImage, 'keywords'> & Pick<Details, 'metadata'>> {
    const { references } = this.#application;
    const { keywords, hasMetadata } = await references.image(id);
    return { keywords, metadata: hasMetadata ? (await references.metadata([id])).get(id) : undefined };
  }

  async #described(content: Uint8Array, signal: AbortSignal) {
    for (;;) {
      const kept = await unless('OVERLOADED', this.#application.keepNew(content));
      if (kept) return kept;
      await pause(BUSY_PAUSE, undefined, { signal });
    }
  }
}
