/** Copies of a shard that a change concerned, or shards that a search concerned. */
export interface Shards {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures?: readonly { readonly reason?: ErrorBody }[];
}

/** A copy of a shard in the statistics of an index. */
export interface Copy {
  readonly routing: { readonly primary: boolean };
  readonly seq_no?: { readonly global_checkpoint: number; readonly max_seq_no: number };
  readonly segments?: { readonly count: number };
  readonly store?: { readonly size_in_bytes: number };
}

/** A document, or a part of it. */
export interface Document {
  readonly _id: string;
  readonly found?: boolean;
  /** With `seq_no_primary_term`. */
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly sort?: readonly unknown[];
  readonly _source?: unknown;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly error?: ErrorBody;
}

/** The outcome of one change of several. */
export interface Item {
  readonly status: number;
  readonly error?: ErrorBody;
  readonly _shards: Shards;
}

export interface ErrorBody {
  readonly type?: string;
  readonly reason?: string;
  readonly root_cause?: readonly ErrorBody[];
  readonly failed_shards?: readonly { readonly reason?: ErrorBody }[];
  readonly caused_by?: ErrorBody;
}

interface Buckets<Further = unknown> {
  readonly buckets: readonly ({ readonly key: string; readonly doc_count: number } & Further)[];
}

/** The fields that are read of the answers of OpenSearch; each request is answered by some of them. */
export interface Body {
  readonly version?: { readonly number?: unknown };
  readonly error?: ErrorBody | string;
  readonly number_of_data_nodes: number;
  readonly status?: string;
  readonly unassigned_shards: number;
  /** Of the node that answers; later versions of OpenSearch may lack it. */
  readonly discovered_cluster_manager?: boolean;
  readonly _shards: Shards;
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _source: unknown;
  readonly timed_out: boolean;
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Document[] };
  /** Of counts by index and application. */
  readonly aggregations?: { readonly indexes: Buckets<{ readonly byApplication: Buckets }> };
  readonly docs: readonly Document[];
  readonly items: readonly Readonly<Record<string, Item>>[];
  readonly indices: Readonly<
    Record<string, { readonly uuid?: string; readonly shards?: Readonly<Record<string, readonly Copy[]>> }>
  >;
}

/** The condition of a request that a document has not changed since. */
export function conditionOf({ _seq_no, _primary_term }: Pick<Document, '_seq_no' | '_primary_term'>): string {
  return `if_seq_no=${_seq_no}&if_primary_term=${_primary_term}`;
}

/** The error of an answer, or of its first part that failed; a text comes from a proxy. */
export function errorOf(body: Body | undefined): ErrorBody {
  const error = body?.error;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- answers of other requests have no shards
  return typeof error === 'string' ? { reason: error } : (error ?? body?._shards?.failures?.[0]?.reason ?? {});
}
