/** One thing that is measured while the service runs: a row of docs/metrics.md and a family of `/metrics`. */
export interface Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** As Prometheus has it: seconds and bytes, `_total` on what only rises. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly about: string;
  /** Of a histogram: upper bounds in seconds. */
  readonly buckets?: readonly number[];
}

const toAnswer = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const toWork = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Everything that is measured, beside what every Node process tells of itself. No label ever holds a key, the name of an
 * application or an id: whoever may read the figures learns nothing about pictures but how many there are.
 */
export const instruments = {
  requests: counter(
    'sosia_requests_total',
    ['operation', 'code'],
    'Requests, by operation and by the code of the answer; `gone` where the client left before it. What names no operation counts as `none`.',
  ),
  requestSeconds: histogram(
    'sosia_request_duration_seconds',
    ['operation'],
    toAnswer,
    'From the end of the headers to the answer, the reading of the body included.',
  ),
  refusedConnections: counter(
    'sosia_connections_refused_total',
    ['code'],
    'What never became a request: broken HTTP, headers that are too large or too slow.',
  ),
  operationsInWork: gauge('sosia_operations_in_work', [], 'Operations being carried out.'),
  operationsLimit: gauge('sosia_operations_limit', [], 'Most of them at once.'),
  uploadBytes: gauge(
    'sosia_upload_bytes',
    [],
    'Bytes of memory that hold bodies being read or worked on, and their texts.',
  ),
  uploadBytesLimit: gauge('sosia_upload_bytes_limit', [], 'Most of them at once.'),

  decodeWaitSeconds: histogram(
    'sosia_decode_wait_seconds',
    [],
    toWork,
    'From a picture that is to be decoded to the child that takes it; those refused meanwhile are not in it.',
  ),
  decodeSeconds: histogram(
    'sosia_decode_duration_seconds',
    ['work'],
    toWork,
    'What a child takes, by what it is asked: `describe`, `keep` (which makes the thumbnail too), `compare`, `decode`.',
  ),
  decodeWaiting: gauge('sosia_decode_waiting', [], 'Pictures that wait for a child.'),
  decodeWaitingLimit: gauge('sosia_decode_waiting_limit', [], 'Most of them at once.'),
  decodeChildren: gauge('sosia_decode_children', ['state'], 'Children that are `idle` or not: `busy` or starting.'),
  decodeRestarts: counter(
    'sosia_decode_child_restarts_total',
    ['reason'],
    'Children that were replaced: `worn` after their thousand pictures or over their memory, `lost` when they died or were stopped.',
  ),

  confinement: gauge(
    'sosia_confinement',
    ['measure'],
    '1 for each measure that confines the decoding children on this machine, or 0: `limits`, `user`, `permissions`, `landlock`, `system_calls`, `parent`; operating.md lists what each takes away.',
  ),

  searchSeconds: histogram(
    'sosia_search_duration_seconds',
    ['phase'],
    toWork,
    'A search, by phase: `wait` for its turn, `candidates` and `verify`, or `rank` for the types that score every picture.',
  ),
  applications: gauge('sosia_applications', ['type'], 'Applications, by type.'),
  pictures: gauge('sosia_pictures', ['type'], 'Reference pictures, by type of application.'),
  damagedPictures: gauge(
    'sosia_damaged_pictures',
    ['type'],
    'Reference pictures that are damaged and set aside, by type of application.',
  ),
  indexBytes: gauge('sosia_index_bytes', ['type'], 'Memory of the indexes, by type of application.'),

  commitSeconds: histogram(
    'sosia_store_commit_duration_seconds',
    [],
    toWork,
    'A commit, the flush to the disk included; changes that come together share one.',
  ),
  changes: counter('sosia_store_changes_total', [], 'Changes committed.'),
  storeBytes: gauge('sosia_store_bytes', [], 'Bytes of the files of the data folder.'),
  storeWritable: gauge(
    'sosia_store_writable',
    [],
    '1, or 0 while the disk is full, after a write failed and where damage makes changes unsafe: searching goes on, nothing is added.',
  ),
  damages: counter(
    'sosia_store_damages_total',
    [],
    'Damages met since the start: records that failed their checks, and faults of the files.',
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
