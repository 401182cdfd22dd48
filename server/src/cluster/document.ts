import { type ApplicationType, type ReferenceTerms, typeDefinitions } from '@sosia/engine';
import { type Body, conditionOf, type Document } from './body.ts';
import type { Matchers } from './matchers.ts';
import { termText } from './search-query.ts';
import type { Details, NewEvent, NewImage } from '../store/store.ts';
import { base64, bytesIn } from '../parameters/base64.ts';
import type { Fields } from './pictures.ts';

interface DocumentContext {
  readonly application: number;
  readonly type: ApplicationType;
  readonly matchers: Matchers;
}

/** Events of one addition, which wait in the document of its picture until a node has numbered them, see `ClusterEvents`. */
export interface Caused {
  /** Distinguishes the addition from others. */
  readonly token: string;
  readonly events: readonly NewEvent[];
}

interface WithCaused {
  readonly details?: Details & { readonly caused?: readonly Caused[] };
}

/** The keyword of documents with such events. Neither a keyword of a client nor a term of metadata begins so. */
export const CAUSED = '\u001f\u001fcaused';

/** A document, also the mark of a deleted picture, with events that wait in it. */
export function withCaused(document: object, caused: readonly Caused[]): object {
  if (caused.length === 0) return document;
  const { keywords = [], details } = document as { keywords?: readonly string[]; details?: object };
  return { ...document, keywords: [...keywords, CAUSED], details: { ...details, caused } };
}

/** The parts of a request that reads all of a picture but what is derived from its DNA. */
export const STORED_PICTURE = {
  _source: ['id', 'keywords', 'details'],
  stored_fields: ['dna'],
  docvalue_fields: ['thumbnail'],
};

/** The picture of a document, without events that wait in it. */
export function pictureOf({ _source, fields }: Document): NewImage {
  const { id, keywords, details: { caused: _, ...details } = {} } = _source as Fields & WithCaused;
  const [thumbnail] = fields!['thumbnail'] ?? [];
  return {
    id,
    keywords: keywords.filter((each) => each !== CAUSED),
    dna: bytesIn(fields!['dna']![0]!),
    thumbnail: thumbnail === undefined ? undefined : bytesIn(thumbnail),
    details: Object.keys(details).length > 0 ? details : undefined,
  };
}

/** The events that wait in a document. */
export function causedIn({ _source }: Document): readonly Caused[] {
  return (_source as WithCaused).details?.caused ?? [];
}

/** What is known of a document before a change. */
export interface Stored {
  readonly change: string;
  /** Whether it is the mark of a deleted picture. */
  readonly deleted: boolean;
  /** The condition that it has not changed. */
  readonly version: string;
  readonly caused: readonly Caused[];
}

/** The fields that it is known by. */
export const STATE_FIELDS = 'change,deleted,details.caused';

export function storedOf(body: Pick<Body, '_source' | '_seq_no' | '_primary_term'>): Stored {
  const { change, deleted, details } = body._source as WithCaused & {
    readonly change: string;
    readonly deleted?: number;
  };
  return { change, deleted: deleted !== undefined, version: conditionOf(body), caused: details?.caused ?? [] };
}

let last = 0;

/** Microseconds since 1970, later than at every call before. */
function now(): number {
  last = Math.max(last + 1, 1000 * Date.now());
  return last;
}

/** A picture as the index stores it; see `picturesLayout`. */
export async function documentOf(
  { id, keywords, dna, thumbnail, details }: NewImage,
  change: string,
  { application, type, matchers }: DocumentContext,
): Promise<object> {
  const changed = now(); // in the order of the calls
  const own = new Uint8Array(dna); // a view would take the whole buffer behind it along to the thread
  const parts =
    typeDefinitions[type].terms && (await matchers.run((matcher) => matcher.document(application, type, own)));
  return {
    application,
    id,
    keywords,
    change,
    changed,
    ...(parts && searched(parts)),
    dna: base64(dna),
    thumbnail: thumbnail && base64(thumbnail),
    details,
  };
}

/** By what the cluster finds a picture; types that compare every picture have none of it. */
function searched({ digest, norm, terms, beginning, rest }: ReferenceTerms & { digest: string }): object {
  return {
    digest,
    norm,
    terms: Array.from(terms, termText).join(' '),
    beginning: base64(beginning),
    rest: base64(rest),
  };
}
