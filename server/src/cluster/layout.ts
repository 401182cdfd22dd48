/** The format of the indexes, in `_meta` of each. */
export const FORMAT = 1;

/** Clauses that the query of a search may have: terms in all variants. Needed of `indices.query.bool.max_clause_count`. */
export const CLAUSES = 262_144;

/** Until when searches see a change at the latest that does not refresh the index itself, such as those of `Transfer`. */
const REFRESH = '200ms';

/** The index of the applications, their profiles and networks. */
export const directoryIndex = (prefix: string): string => prefix;

/** The alias of the records of all applications: verdicts, links, ignored pictures and counts. */
export const recordsAlias = (prefix: string): string => `${prefix}-records`;

export const recordsIndex = (prefix: string): string => `${recordsAlias(prefix)}-1`;

export const auditIndex = (prefix: string): string => `${prefix}-audit`;

/** The alias of all indexes of pictures. */
export const allPicturesAlias = (prefix: string): string => `${prefix}-pictures`;

/** The alias of the pictures of an application, by which they are read and written. */
export const picturesAlias = (prefix: string, application: number): string => `${prefix}-${application}`;

/** The index behind the alias where an application has its own; another generation has another number of shards. */
export const ownIndex = (prefix: string, application: number, generation = 1): string =>
  `${picturesAlias(prefix, application)}-${generation}`;

/** An index for the pictures of many small applications. Their aliases have a filter. */
export const sharedIndex = (prefix: string, number: number | string): string => `${prefix}-shared-${number}`;

/** The application that an index is for; undefined for one that many share. */
export function ownerOf(prefix: string, index: string): number | undefined {
  const [, application] = /^-(\d+)-\d+$/.exec(index.slice(prefix.length)) ?? [];
  return application === undefined ? undefined : Number(application);
}

/** How many nodes an index is spread over. */
export interface Spread {
  readonly shards: number;
  /** Copies besides the first. */
  readonly replicas: number;
}

/** Of every index: a change is on the disk of each copy before it is answered. */
const layoutOf = (
  kind: string,
  { shards, replicas }: Spread,
  properties: object,
  aliases: readonly string[] = [],
): { aliases: object; settings: object; mappings: object } => ({
  aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])),
  settings: {
    number_of_shards: shards,
    number_of_replicas: replicas,
    'index.translog.durability': 'request',
  },
  mappings: {
    _meta: { sosia: { format: FORMAT, kind } },
    dynamic: 'strict',
    properties,
  },
});

/** A field that is read with its document alone. */
const text = { type: 'keyword', index: false, doc_values: false };

/** Few and small documents, each read by its id. */
export function directoryLayout(replicas: number): object {
  return layoutOf('directory', { shards: 1, replicas }, { content: { type: 'object', enabled: false } });
}

/** A document is a record, or the mark of a removed one. One shard, so that sequence numbers order all changes. */
export function recordsLayout(alias: string, replicas: number): object {
  const fields = {
    application: { type: 'integer' },
    kind: { type: 'keyword' },
    id: { type: 'keyword' },
    /** Distinguishes the repetition of a change from another one. */
    change: text,
    body: { type: 'binary' },
    removed: { type: 'boolean' },
  };
  return layoutOf('records', { shards: 1, replicas }, fields, [alias]);
}

export function auditLayout(replicas: number): object {
  const fields = {
    at: { type: 'date' },
    number: { type: 'integer' },
    kind: text,
    administrator: { ...text, type: 'boolean' },
    key: text,
    who: text,
    what: text,
    /** Refused attempts are found by it, and removed. */
    code: { type: 'integer' },
    application: text,
    detail: text,
  };
  return layoutOf('audit', { shards: 1, replicas }, fields);
}

/**
 * A document is a picture or the mark of a deleted one; see `keyOf` for its `_id`. Few large segments, since each term of a query is
 * looked up in every segment. DNA and thumbnail stay out of `_source`, so that an answer does not read them. They are no
 * stored fields, since reading those took longer than the votes. Of values of documents only those that a query names are read.
 */
export function picturesLayout(aliases: readonly string[], spread: Spread): object {
  const fields = {
    /** Its number, in all documents: of applications that share an index, each sees its own ones. */
    application: { type: 'keyword', norms: false, index_options: 'docs' },
    id: { type: 'keyword' },
    keywords: { type: 'keyword', doc_values: false, norms: false, index_options: 'docs' },
    /** Distinguishes the repetition of a change from another one. */
    change: text,
    /** Microseconds since 1970 by the clock of the node that added or changed the picture. */
    changed: { type: 'long' },
    digest: { type: 'keyword', norms: false, index_options: 'docs' },
    norm: { type: 'integer', index: false },
    /** With spaces between. A term that a query has counts 1. */
    terms: { type: 'text', analyzer: 'whitespace', similarity: 'boolean', norms: false, index_options: 'docs' },
    /** See `ReferenceTerms`. */
    beginning: { type: 'binary', doc_values: true },
    rest: { type: 'binary', doc_values: true },
    dna: { type: 'binary', store: true },
    thumbnail: { type: 'binary', doc_values: true },
    details: { type: 'object', enabled: false },
    /** When it was deleted; such a document has no id. */
    deleted: { type: 'date' },
  };
  const { settings, mappings, ...rest } = layoutOf('pictures', spread, fields, aliases);
  const own = {
    // so that shards can be added later: twice as many, four times, and so on
    number_of_routing_shards: spread.shards * 2 ** Math.floor(Math.log2(1024 / spread.shards)),
    refresh_interval: REFRESH,
    'index.merge.policy.segments_per_tier': 3,
    'index.merge.policy.max_merge_at_once': 3,
    'index.merge.policy.floor_segment': '64mb',
    'index.merge.policy.max_merged_segment': '50gb',
  };
  const _source = { excludes: ['terms', 'beginning', 'rest', 'dna', 'thumbnail'] };
  return { ...rest, settings: { ...settings, ...own }, mappings: { ...mappings, _source } };
}
