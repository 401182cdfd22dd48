import { errorCodes, SosiaError, type ErrorName, type Metadata, type Picture, type Sosia } from '@sosia/client';
import { Failure, unless } from '@sosia/server/errors';
import type { Receiver } from '@sosia/server/sources/receiver';

/** What is sent of a picture. */
interface Sent {
  readonly keywords: readonly string[];
  readonly metadata?: Metadata | undefined;
  readonly picture: Picture;
}

/** An application of a service. */
export class ServiceReceiver implements Receiver<Sent> {
  readonly #sosia: Sosia;
  readonly #describe: ((content: Uint8Array) => Promise<Uint8Array>) | undefined;

  /** @param describe  gives the DNA that is sent in place of each file */
  constructor(sosia: Sosia, describe?: (content: Uint8Array) => Promise<Uint8Array>) {
    this.#sosia = sosia;
    this.#describe = describe;
  }

  async present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    await asFailure(async () => {
      for await (const { id } of this.#sosia.images({ ids })) found.add(id);
    });
    return found;
  }

  async kept(content: Uint8Array, { keywords }: { keywords: readonly string[] }, own?: string): Promise<Sent> {
    const kept = own === undefined ? undefined : await this.copied(own, content);
    return kept ?? { keywords, picture: await this.#sentOf(content) };
  }

  async copied(id: string, content: Uint8Array): Promise<Sent | undefined> {
    const image = await unless(
      'UNKNOWN_IMAGE',
      asFailure(() => this.#sosia.image(id)),
    );
    if (!image) return undefined;
    return { keywords: image.keywords, metadata: image.metadata, picture: await this.#sentOf(content) };
  }

  async add(id: string, { picture, keywords, metadata }: Sent): Promise<void> {
    const how = this.#describe ? 'addDna' : 'add';
    await asFailure(() => this.#sosia[how](id, picture as Uint8Array, keywords, { metadata }));
  }

  async delete(id: string): Promise<void> {
    await asFailure(() => this.#sosia.delete(id));
  }

  async #sentOf(content: Uint8Array): Promise<Uint8Array> {
    return this.#describe ? this.#describe(content) : content;
  }
}

const names = new Map<number, ErrorName>(Object.entries(errorCodes).map(([name, code]) => [code, name as ErrorName]));

/** What a service refuses fails here as it does there; a lost connection is no fault of a picture. */
async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const name = cause instanceof SosiaError ? names.get(cause.code) : undefined;
    throw Object.assign(new Failure(name ?? 'INTERNAL', ''), { message: (cause as Error).message, cause });
  }
}
