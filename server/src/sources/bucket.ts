import { AwsClient } from 'aws4fetch';
import { LARGEST_FILE, tooLargeFile } from '../decode/limits.ts';
import { fail } from '../errors.ts';
import { isPictureName } from './picture-names.ts';
import type { FileMove, Item, KindSettings, KindValues, KnownItem, Source, SourceKind } from './source.ts';

/** Milliseconds for a request and its answer. */
const REQUEST_MS = 60_000;
/** Repetitions of a request that the service of the bucket is too busy for, each after twice the wait of the one before. */
const RETRIES = 6;
/** Seconds for which a link to an object is valid. */
const LINK_SECONDS = 300;
/** Bytes of a page of the listing: 1,000 keys of at most 1,024 bytes, three times as long where they are encoded. */
const LARGEST_PAGE = 8_000_000;

/** Buckets of S3, and of services that speak it. */
export class BucketKind implements SourceKind {
  readonly #allowed: ReadonlySet<string> | 'all' | null;

  /** @param allowed  origins of the services whose buckets may be followed; null for none */
  constructor(allowed: ReadonlySet<string> | 'all' | null) {
    this.#allowed = allowed;
  }

  async settings(values: KindValues): Promise<KindSettings> {
    const { bucket, endpoint, access_key, secret_key, region = 'us-east-1', key_prefix = '' } = values;
    for (const [name, value] of Object.entries({ bucket, endpoint, access_key, secret_key })) {
      if (value === undefined) throw fail('MISSING_PARAMETER', `expected ${name}, for a source of the kind bucket`);
    }
    if (!/^[a-z0-9][a-z0-9.-]{1,62}$/i.test(String(bucket))) throw fail('BAD_PARAMETER', 'bucket: expected its name');
    return {
      bucket,
      endpoint: this.#permitted(String(endpoint)),
      access_key,
      secret_key,
      region,
      key_prefix,
    } as KindSettings;
  }

  async open(settings: KindSettings): Promise<Source> {
    this.#permitted(String(settings['endpoint']));
    return new Bucket(settings);
  }

  place({ endpoint, bucket, key_prefix }: KindSettings): string {
    return `${String(endpoint)}/${String(bucket)}/${String(key_prefix)}`;
  }

  follows(settings: KindSettings, { endpoint, bucket }: KindSettings, key: string): boolean {
    return `${String(endpoint)}/${String(bucket)}/${key}`.startsWith(this.place(settings));
  }

  origin({ bucket }: KindSettings, key: string) {
    return { bucket: String(bucket), key };
  }

  async original(settings: KindSettings, key: string): Promise<string> {
    this.#permitted(String(settings['endpoint']));
    return new Bucket(settings).link(key);
  }

  async move(settings: KindSettings, item: KnownItem, how: FileMove): Promise<void> {
    this.#permitted(String(settings['endpoint']));
    await new Bucket(settings).move(item, how);
  }

  #permitted(endpoint: string): string {
    const origin = URL.canParse(endpoint) ? new URL(endpoint).origin : '';
    if (this.#allowed === 'all' || this.#allowed?.has(origin)) return origin;
    throw fail('SOURCE_REFUSED', `expected an endpoint of the setting source_buckets, got ${endpoint}`);
  }
}

/** For requests that only their time ends. */
const never = new AbortController().signal;

class Bucket implements Source {
  readonly isListedFirst = true;
  readonly #client: AwsClient;
  readonly #address: string;
  readonly #prefix: string;

  constructor({ endpoint, bucket, access_key, secret_key, region, key_prefix }: KindSettings) {
    const credentials = { accessKeyId: String(access_key), secretAccessKey: String(secret_key) };
    this.#client = new AwsClient({
      ...credentials,
      service: 's3',
      region: String(region),
      retries: RETRIES,
      initRetryMs: 200,
    });
    this.#address = `${String(endpoint)}/${String(bucket)}`;
    this.#prefix = String(key_prefix);
  }

  async *list(signal: AbortSignal): AsyncGenerator<Item> {
    for (let token: string | undefined; ;) {
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix: this.#prefix });
      if (token !== undefined) query.set('continuation-token', token);
      const answer = await this.#request(`?${query.toString()}`, signal);
      const page = new TextDecoder().decode(await bytesOf(answer, LARGEST_PAGE));
      for (const [, content] of page.matchAll(/<Contents>([^]*?)<\/Contents>/g)) {
        const key = decodeURIComponent(field(content!, 'Key').replaceAll('+', ' '));
        const version = field(content!, 'ETag');
        if (isPictureName(key)) yield { key, version, size: Number(field(content!, 'Size')) };
      }
      if (field(page, 'IsTruncated') !== 'true') return;
      token = field(page, 'NextContinuationToken');
    }
  }

  async read({ key, version, size = 0 }: Item, signal: AbortSignal): Promise<Uint8Array> {
    if (size > LARGEST_FILE) throw tooLargeFile(size);
    const answer = await this.#request(pathOf(key), signal, { headers: { 'if-match': version! } });
    return bytesOf(answer, LARGEST_FILE);
  }

  /** An address that reads the object for some minutes without a key. */
  async link(key: string): Promise<string> {
    const address = `${this.#address}${pathOf(key)}?X-Amz-Expires=${LINK_SECONDS}`;
    return (await this.#client.sign(address, { aws: { signQuery: true } })).url;
  }

  /** An object is copied before it is deleted. The copy may have another ETag. */
  async move({ key, version, size }: KnownItem, how: FileMove): Promise<void> {
    const folder = this.#prefix.slice(0, this.#prefix.lastIndexOf('/') + 1);
    const trash = `${folder}.trash/${key.slice(folder.length)}`; // hidden, so no source follows it
    const [from, to] = (how === 'restore' ? [trash, key] : [key, trash]).map(pathOf) as [string, string];
    const known: Record<string, string> = how === 'restore' ? {} : { 'if-match': version };
    const bytes = await this.#size(from, known);
    if (bytes === undefined) throw new Error('it is no longer there');
    if (size !== undefined && bytes !== size) throw new Error('its file is another one than the picture was made of');
    if (how !== 'delete') {
      if ((await this.#size(to)) !== undefined) throw new Error('there is a file in its new place');
      const source = new URL(this.#address + from).pathname;
      await this.#request(to, never, { method: 'PUT', headers: { 'x-amz-copy-source': source } });
      if ((await this.#size(to)) !== bytes) throw new Error('it could not be copied');
    }
    await this.#request(from, never, { method: 'DELETE', headers: known });
  }

  /** Bytes of an object; undefined where there is none. */
  async #size(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
    const answer = await this.#request(path, never, { method: 'HEAD', headers });
    return answer.ok ? Number(answer.headers.get('content-length')) : undefined;
  }

  /** Fails with the words of the service of the bucket. */
  async #request(rest: string, signal: AbortSignal, init: RequestInit = {}): Promise<Response> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const answer = await this.#client.fetch(this.#address + rest, { ...init, signal: limit, redirect: 'manual' });
    if (answer.ok || (init.method === 'HEAD' && answer.status === 404)) return answer;
    const text = await bytesOf(answer, LARGEST_PAGE).then((bytes) => new TextDecoder().decode(bytes));
    throw new Error(`the bucket answered ${answer.status} ${field(text, 'Code')} ${field(text, 'Message')}`.trim());
  }
}

function pathOf(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** The text of an element; entities stand only in ETags and tokens. */
function field(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
}

async function bytesOf(answer: Response, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > most) throw new Error(`the bucket sent more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
