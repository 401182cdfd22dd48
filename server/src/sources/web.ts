import { LARGEST_FILE } from '../decode/limits.ts';
import { fail, Failure } from '../errors.ts';
import type { Fetched, Fetcher, Validators, Wanted } from '../fetch/fetcher.ts';
import { isPictureName } from './picture-names.ts';
import { Robots } from './robots.ts';
import type { Item, KindSettings, KindValues, Source, SourceKind } from './source.ts';
import { LARGEST_DOCUMENT, readDocument, type WebDocument } from './web-document.ts';

/** Milliseconds after which a picture is looked at again that its document says nothing about. */
const RECHECK = 3_600_000;
/** Answers that are remembered, of each kind. */
const MAX_DOCUMENTS = 1000;
const MAX_PICTURES = 100_000;

interface KnownDocument extends Validators {
  readonly document: WebDocument;
}

interface KnownPicture {
  readonly version: string;
  readonly until: number;
}

/** Pictures on the web, by their addresses and by sitemaps, feeds and lists of addresses. */
export class WebKind implements SourceKind {
  readonly #parts: WebParts;

  constructor(fetcher: Fetcher) {
    this.#parts = { fetcher, robots: new Robots(fetcher), documents: new Map(), pictures: new Map() };
  }

  async settings({ urls }: KindValues): Promise<KindSettings> {
    if (!Array.isArray(urls)) throw fail('MISSING_PARAMETER', 'expected urls, for a source of the kind web');
    return { urls: (urls as string[]).map((each) => this.#parts.fetcher.check(each).href) };
  }

  async open({ urls }: KindSettings): Promise<Source> {
    return new Web(urls as readonly string[], this.#parts);
  }

  place({ urls }: KindSettings): string {
    return (urls as readonly string[]).join(' ');
  }

  origin(_settings: KindSettings, key: string) {
    return { address: key };
  }

  async original(_settings: KindSettings, key: string): Promise<string> {
    return key;
  }
}

interface WebParts {
  readonly fetcher: Fetcher;
  readonly robots: Robots;
  readonly documents: Map<string, KnownDocument>;
  readonly pictures: Map<string, KnownPicture>;
}

class Web implements Source {
  readonly #urls: readonly string[];
  readonly #parts: WebParts;
  isPartial = false;

  constructor(urls: readonly string[], parts: WebParts) {
    this.#urls = urls;
    this.#parts = parts;
  }

  async *list(signal: AbortSignal): AsyncGenerator<Item> {
    const listed = new Set<string>();
    const faults: unknown[] = [];
    const waiting = [...this.#urls];
    for (let address; (address = waiting.shift()) !== undefined;) {
      signal.throwIfAborted();
      if (listed.has(address)) continue;
      listed.add(address);
      if (isPictureName(new URL(address).pathname)) {
        yield { key: address, version: await this.#version(address, signal) };
        continue;
      }
      const document = await this.#document(address, signal).catch((cause: unknown) => void faults.push(cause));
      if (!document) continue;
      this.isPartial ||= document.isFeed;
      waiting.push(...document.sitemaps);
      for (const { address: key, changed } of document.pictures) {
        if (listed.has(key)) continue;
        listed.add(key);
        yield { key, version: changed ?? (await this.#version(key, signal)) };
      }
    }
    signal.throwIfAborted();
    if (faults.length > 0) throw faults[0];
  }

  async read({ key }: Item, signal: AbortSignal): Promise<Uint8Array> {
    return (await this.#fetch(key, LARGEST_FILE, signal)).content;
  }

  /** What the server says of a picture, at most once an hour. A picture whose server says nothing is read, which gives the reason. */
  async #version(address: string, signal: AbortSignal): Promise<string> {
    const { pictures } = this.#parts;
    const known = pictures.get(address);
    if (known && known.until > performance.now()) return known.version;
    const answer = await this.#fetch(address, LARGEST_FILE, signal, { head: true }).catch(() => undefined);
    const version = answer?.etag ?? answer?.lastModified ?? '';
    remember(pictures, address, { version, until: performance.now() + RECHECK }, MAX_PICTURES);
    return version;
  }

  async #document(address: string, signal: AbortSignal): Promise<WebDocument> {
    const { documents } = this.#parts;
    const known = documents.get(address);
    const answer = await this.#fetch(address, LARGEST_DOCUMENT, signal, known && { known });
    if (answer.unchanged) return known!.document;
    const document = await readDocument(answer.content, answer.address);
    const { etag, lastModified } = answer;
    remember(documents, address, { etag, lastModified, document }, MAX_DOCUMENTS);
    return document;
  }

  /** A refusal is one of this address: the source goes on. */
  async #fetch(
    address: string,
    maxBytes: number,
    signal: AbortSignal,
    wanted: Pick<Wanted, 'known' | 'head'> = {},
  ): Promise<Fetched & { readonly content: Buffer }> {
    const { fetcher, robots } = this.#parts;
    try {
      fetcher.check(address);
      if (!(await robots.allows(address))) throw new Error(`robots.txt does not allow ${address}`);
      return await fetcher.content(address, { maxBytes, signal, ...wanted });
    } catch (cause) {
      throw cause instanceof Failure ? new Error(`${address}: ${cause.message}`) : cause;
    }
  }
}

function remember<T>(all: Map<string, T>, key: string, value: T, most: number): void {
  all.delete(key);
  all.set(key, value);
  if (all.size > most) all.delete(all.keys().next().value!);
}
