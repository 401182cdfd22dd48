/** One metric of the running service: a row of docs/metrics.md and a family of `/metrics`. */
export interface Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** By the conventions of Prometheus: seconds and bytes, `_total` for counters. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly about: string;
  /** Of a histogram: upper bounds in seconds. */
  readonly buckets?: readonly number[];
}

const toAnswer = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const toWork = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * All metrics, beside those of every Node process. No label contains a key, the name of an application or an id, so
 * that a reader of the figures learns only the number of pictures.
 */
export const instruments = {
  requests: counter(
    'sosia_requests_total',
    ['operation', 'code'],
    'Requests, by operation and by the code of the answer; `gone` if the client disconnected before it. A request without an operation counts as `none`.',
  ),
  requestSeconds: histogram(
    'sosia_request_duration_seconds',
    ['operation'],
    toAnswer,
    'Time from the end of the headers to the answer, including the reading of the body.',
  ),
  refusedConnections: counter(
    'sosia_connections_refused_total',
    ['code'],
    'Connections closed before a request: malformed HTTP, headers that are too large or too slow.',
  ),
  operationsInWork: gauge('sosia_operations_in_work', [], 'Operations in progress.'),
  operationsLimit: gauge('sosia_operations_limit', [], 'Maximum of concurrent operations.'),
  uploadBytes: gauge('sosia_upload_bytes', [], 'Memory of the bodies in progress and of their texts.'),
  uploadBytesLimit: gauge('sosia_upload_bytes_limit', [], 'Maximum of that memory.'),

  decodeWaitSeconds: histogram(
    'sosia_decode_wait_seconds',
    [],
    toWork,
    'Time that a picture waits for a decoding child; refused pictures are not included.',
  ),
  decodeSeconds: histogram(
    'sosia_decode_duration_seconds',
    ['work'],
    toWork,
    'Time of a decoding child, by task: `describe`, `keep` (with the thumbnail), `compare`, `decode`, `pdq`.',
  ),
  decodeWaiting: gauge('sosia_decode_waiting', [], 'Pictures that wait for a decoding child.'),
  decodeWaitingLimit: gauge('sosia_decode_waiting_limit', [], 'Maximum of waiting pictures.'),
  decodeChildren: gauge('sosia_decode_children', ['state'], 'Decoding children: `idle`, or `busy` (or starting).'),
  decodeRestarts: counter(
    'sosia_decode_child_restarts_total',
    ['reason'],
    'Replaced children: `worn` after a thousand pictures or above their memory limit, `lost` after a crash or a stop.',
  ),

  confinement: gauge(
    'sosia_confinement',
    ['measure'],
    '1 for each measure that confines the decoding children on this machine, or 0: `limits`, `user`, `permissions`, `landlock`, `system_calls`, `parent`; operating.md lists what each prevents.',
  ),

  searchSeconds: histogram(
    'sosia_search_duration_seconds',
    ['phase'],
    toWork,
    'Time of a search, by phase: `wait` in the queue, `candidates` (the shortlist) and `verify` (the rerank), or `rank` (the exhaustive search).',
  ),
  applications: gauge('sosia_applications', ['type'], 'Applications, by type.'),
  pictures: gauge(
    'sosia_pictures',
    ['type'],
    'Reference pictures, by type of application. In a cluster they are counted every 15 s; nothing while that fails.',
  ),
  damagedPictures: gauge(
    'sosia_damaged_pictures',
    ['type'],
    'Reference pictures that are damaged and set aside, by type of application.',
  ),
  indexBytes: gauge('sosia_index_bytes', ['type'], 'Memory of the indexes, by type of application.'),

  webhooks: gauge(
    'sosia_webhooks',
    ['state'],
    'Webhooks: `sending`; `failing`, with further attempts; `dead` after three days of them or an answer 410.',
  ),
  webhookEventsWaiting: gauge(
    'sosia_webhook_events_waiting',
    [],
    'Events that webhooks have not received, those of dead ones included.',
  ),
  webhookRequests: counter(
    'sosia_webhook_requests_total',
    ['outcome'],
    'Requests to webhooks: `received`, `refused` (another status than 2xx), `gone` (410), `unreachable`.',
  ),

  clusterHealth: gauge(
    'sosia_cluster_health',
    ['status'],
    'With `--cluster`: 1 for how the cluster is by the last look, 0 for the others: `green`, `yellow` (copies are missing), `red` (pictures are missing), `unreachable` (no host answers, or none that has a leader).',
  ),
  clusterMissingCopies: gauge(
    'sosia_cluster_missing_copies',
    [],
    'With `--cluster`: copies of parts of indexes that are not there or not complete; nothing while the cluster is unreachable.',
  ),
  clusterHosts: gauge(
    'sosia_cluster_hosts',
    ['state'],
    'With `--cluster`: its hosts, `used` or `avoided` for some seconds, since they hang, fail or have lost the others.',
  ),
  clusterSearchDiffers: gauge(
    'sosia_cluster_search_differs',
    [],
    'With `--cluster`: 1 while another node of the same prefix runs with another `--cluster-search`, so that their answers differ; 0 otherwise.',
  ),
  clusterRequests: counter(
    'sosia_cluster_requests_total',
    ['outcome'],
    'Requests to the cluster: `answered`, `refused` (an error of the cluster), `unreachable` (nothing was done), `unknown` (a change without an answer).',
  ),
  clusterRetries: counter('sosia_cluster_retries_total', [], 'Further attempts of requests to the cluster.'),
  clusterRequestSeconds: histogram(
    'sosia_cluster_request_duration_seconds',
    [],
    toAnswer,
    'Time of a request to the cluster with all its attempts.',
  ),

  commitSeconds: histogram(
    'sosia_store_commit_duration_seconds',
    [],
    toWork,
    'Time of a commit, including the flush to the disk; concurrent changes share one.',
  ),
  changes: counter('sosia_store_changes_total', [], 'Changes committed to the data folder.'),
  storeBytes: gauge('sosia_store_bytes', [], 'Bytes of the files of the data folder; nothing with `--cluster`.'),
  storeWritable: gauge(
    'sosia_store_writable',
    [],
    'With a data folder: 1 if changes are accepted. 0 while the disk is full, after a failed write, and if damage makes changes unsafe; searches continue.',
  ),
  damages: counter(
    'sosia_store_damages_total',
    [],
    'Damages detected since the start: records that failed their checks, and faults of the files.',
  ),
} satisfies Record<string, Instrument>;

export type InstrumentName = keyof typeof instruments;
type OfKind<K extends Instrument['kind']> = {
  [N in InstrumentName]: (typeof instruments)[N]['kind'] extends K ? N : never;
}[InstrumentName];
export type CounterName = OfKind<'counter'>;
export type GaugeName = OfKind<'gauge'>;
export type HistogramName = OfKind<'histogram'>;

function counter(name: string, labels: readonly string[], about: string) {
  return { kind: 'counter', name, labels, about } as const;
}

function gauge(name: string, labels: readonly string[], about: string) {
  return { kind: 'gauge', name, labels, about } as const;
}

function histogram(name: string, labels: readonly string[], buckets: readonly number[], about: string) {
  return { kind: 'histogram', name, labels, about, buckets } as const;
}
