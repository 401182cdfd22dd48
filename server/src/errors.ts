/**
 * Every failure of an operation: its name in the code, its number on the wire and its message. docs/errors.md is generated
 * from this table. Bands: -1xxx the picture or the input (-10xx picture and DNA, -11xx key, -12xx and -14xx parameters,
 * -15xx what the application allows, -19xx the transport), -26xx queries, -27xx the cluster, -28xx modifications.
 * `{}` in a message is replaced by the expected and the actual value.
 */
export const errors = {
  INTERNAL: {
    code: -1000,
    message: 'Internal error; the log of the server tells more',
    when: 'A fault of the service itself.',
  },
  NOT_ENOUGH_INFORMATION: {
    code: -1002,
    message: 'The image does not hold enough information to be described: {}',
    when: 'AddImage and the searches, for a picture that is flat, tiny or without structure.',
  },
  NOT_A_PICTURE: {
    code: -1010,
    message: 'Not a picture: {}',
    when: 'A picture file is empty, or of no picture format.',
  },
  UNSUPPORTED_FORMAT: {
    code: -1011,
    message: 'The picture format is not supported: {}',
    when: 'A picture of a format, or of a variant of a format, that the service does not read (SVG, PDF, JPEG XL, …).',
  },
  PICTURE_TOO_LARGE: {
    code: -1012,
    message: 'The picture is too large: {}',
    when: 'Over 20 MB of file, 50 million pixels, 16,383 pixels a side or 256 MB of memory while decoding. The header decides, before decoding.',
  },
  DAMAGED_PICTURE: {
    code: -1013,
    message: 'The picture is damaged: {}',
    when: 'A picture file that is truncated, inconsistent or cannot be decoded completely.',
  },
  DECODE_TIMEOUT: {
    code: -1014,
    message: 'The picture took too long to decode: {}',
    when: 'Decoding and describing exceeded the time limit (processor time on a busy machine), and the decoder was stopped.',
  },
  DECODER_CRASHED: {
    code: -1015,
    message: 'The decoder ended while it worked on the picture: {}',
    when: 'The decoder process crashed on this picture or during its work. Other requests are not affected.',
  },
  QUARANTINED_PICTURE: {
    code: -1016,
    message: 'The picture is refused without decoding: {}',
    when: 'The same file has already stopped two decoders.',
  },
  BAD_DNA: {
    code: -1020,
    message: 'The DNA cannot be used: {}',
    when: 'A DNA that is damaged, not canonical, of another version or of another application type.',
  },
  IMAGE_OR_DNA: {
    code: -1021,
    message: 'Expected exactly one of image_content and dna, got {}',
    when: 'AddImage with both or with neither.',
  },
  FETCHING_OFF: {
    code: -1030,
    message: 'The service fetches no addresses; the setting fetch_hosts switches it on',
    when: 'The address of a picture or of a webhook, where `fetch_hosts` is off.',
  },
  ADDRESS_REFUSED: {
    code: -1031,
    message: 'The address is refused: {}',
    when: 'An address that is not http or https, has a user or a password, has a host or a port that `fetch_hosts` does not allow, or leads into a network that is not public, directly or by a redirect.',
  },
  NOT_FETCHED: {
    code: -1032,
    message: 'The address could not be fetched: {}',
    when: 'A server that does not answer with a picture of at most 20 MB in time: not found, too slow, too many redirects, compressed.',
  },
  UNKNOWN_APPLICATION: {
    code: -1101,
    message: 'Unknown application key',
    when: 'The application_key is missing, unknown or disabled. The three cases have the same answer.',
  },
  NOT_SIGNED_IN: {
    code: -1102,
    message: 'Not signed in, or the session expired',
    when: 'The console, for a request without a valid session.',
  },
  SCOPE_REFUSED: {
    code: -1103,
    message: 'The key does not allow the operation: {}',
    when: 'A key without the scope that the operation needs.',
  },
  KEY_EXPIRED: {
    code: -1104,
    message: 'The key has expired: {}',
    when: 'A key after its expiry, and one that was replaced, after the grace period.',
  },
  NOT_ADMINISTRATOR: {
    code: -1105,
    message: "Expected an administrator's key: {}",
    when: 'An operation of administration with the key of an application, where it is not about this application alone.',
  },
  UNKNOWN_KEY: {
    code: -1106,
    message: 'There is no such key: {}',
    when: 'SetKey, RotateKey and RevokeKey, for an id or a name without a key. SaveSearch, for a `watched_key` that is unknown or of a disabled application.',
  },
  KEY_NAME_TAKEN: {
    code: -1107,
    message: 'Another key has this name: {}',
    when: 'CreateKey and SetKey.',
  },
  APPLICATION_NAME_TAKEN: {
    code: -1108,
    message: 'Another application has this name: {}',
    when: 'CreateApplication and SetApplication.',
  },
  NO_SUCH_APPLICATION: {
    code: -1109,
    message: 'There is no such application: {}',
    when: 'Operations of administration, for a name or a number without an application, or a name that several have.',
  },
  MISSING_PARAMETER: {
    code: -1201,
    message: 'A parameter is missing: {}',
    when: 'A required parameter is absent or empty.',
  },
  REPEATED_PARAMETER: {
    code: -1202,
    message: 'A parameter is given more than once: {}',
    when: 'A parameter that is not a list is given twice, in the query string, the body or both. Also FineComparison with a file and an id for the same picture.',
  },
  BAD_PARAMETER: {
    code: -1203,
    message: 'A parameter has a value that is not allowed: {}',
    when: 'For example, a number out of range, an invalid colour, or more than 3 MB of text in one request.',
  },
  BAD_TEXT: {
    code: -1204,
    message: 'A parameter is not well-formed text: {}',
    when: 'Malformed percent-encoding, invalid UTF-8, a control character.',
  },
  BAD_IMAGE_ID: {
    code: -1205,
    message: 'An image_id is not allowed: {}',
    when: 'An image_id, alone or in ids_list, that breaks the rule for image ids.',
  },
  TOO_MANY_IDS: {
    code: -1206,
    message: 'ids_list holds too many ids: {}',
    when: 'More than 10,000 ids.',
  },
  NOT_CONFIRMED: {
    code: -1207,
    message: 'The confirmation does not match: {}',
    when: 'EmptyApplication and DeleteApplication, where `confirm` is not the name of the application.',
  },
  BAD_KEYWORD: {
    code: -1404,
    message: 'A keyword has characters that are not allowed: {}',
    when: 'A keyword that breaks the rule for keywords.',
  },
  TOO_MANY_KEYWORDS: {
    code: -1405,
    message: 'Too many keywords: {}',
    when: 'More than 100 different keywords in one request.',
  },
  DOES_NOT_APPLY: {
    code: -1501,
    message: 'The operation does not apply to the type of the application: {}',
    when: 'An operation the application type excludes, such as a colour operation on a Media Matching application.',
  },
  MALFORMED_REQUEST: {
    code: -1900,
    message: 'The request cannot be read: {}',
    when: 'Not HTTP, no Host header or several, a body that contradicts its header, a truncated body.',
  },
  UNKNOWN_PATH: {
    code: -1901,
    message: 'Unknown path: {}',
    when: 'A path that names no operation of this port.',
  },
  METHOD_NOT_ALLOWED: {
    code: -1902,
    message: 'Method not allowed: {}',
    when: 'Any method but GET and POST.',
  },
  REQUEST_TIMEOUT: {
    code: -1903,
    message: 'The request took too long to arrive: {}',
    when: 'Headers or a body that arrive too slowly.',
  },
  REQUEST_TOO_LARGE: {
    code: -1904,
    message: 'The request is too large: {}',
    when: 'A body above the limit.',
  },
  HEADERS_TOO_LARGE: {
    code: -1905,
    message: 'The address and the headers of the request are too large: {}',
    when: 'Request line and headers above the limit. Long lists of ids may be sent by POST.',
  },
  FORBIDDEN: {
    code: -1906,
    message: 'Refused: {}',
    when: 'A change by GET that a browser sends for a foreign page or as a prefetch. Also a request to the console that its own page did not send.',
  },
  OVERLOADED: {
    code: -1910,
    message: 'The service is busy; try again: {}',
    when: 'The service has more work than it can finish in time, or requests exceed their share of the memory.',
  },
  SHUTTING_DOWN: {
    code: -1911,
    message: 'The service is shutting down',
    when: '`GET /ready` while the service stops. Operations still run until the ports close.',
  },
  LOADING: {
    code: -1912,
    message: 'The service is loading its pictures; try again: {}',
    when: 'From the start of the service until its pictures are loaded: `GET /ready` and every operation except GetApplicationStatus. An application is served as soon as its own pictures are loaded.',
  },
  UNKNOWN_IMAGE: {
    code: -2601,
    message: 'Unknown image id: {}',
    when: 'GetImageById, GetDnaById, SearchImageById, GetImageColorsById and FineComparison, for an id that the application does not contain.',
  },
  ASYMMETRIC_DNA: {
    code: -2609,
    message: 'SearchImageById is not available for asymmetric DNA',
    when: 'SearchImageById on a Mobile Matching application.',
  },
  NOT_ALIGNED: {
    code: -2620,
    message: 'The two pictures could not be aligned: {}',
    when: 'FineComparison, for two pictures that do not show the same thing.',
  },
  NO_THUMBNAIL: {
    code: -2621,
    message: 'No thumbnail of the picture is stored: {}',
    when: 'FineComparison by id, for a picture that was added as a DNA or without thumbnails.',
  },
  NO_PROFILES: {
    code: -2630,
    message: 'The application has no profiles: {}',
    when: 'Filter, on an application without an existing profile. `sosia profile use` sets them.',
  },
  UNKNOWN_PROFILE: {
    code: -2631,
    message: 'Unknown profile: {}',
    when: '`sosia profile`, SetApplication and the operations on profiles, for a name without a profile.',
  },
  PROFILE_EXISTS: {
    code: -2632,
    message: 'The profile exists already: {}',
    when: '`sosia profile train` and `import`, AddExample and TrainProfile, for the name of an existing profile, which does not change.',
  },
  BAD_PROFILE: {
    code: -2633,
    message: 'The profile cannot be used: {}',
    when: '`sosia profile import`, for a file that is damaged, of another version or no profile, or for a network that contradicts its description. Filter, for a network that can no longer be used.',
  },
  NO_NETWORK_RUNTIME: {
    code: -2634,
    message: 'The profile is a network, and what runs networks is not installed: {}',
    when: 'Filter and `sosia profile import`, for an ONNX network if the optional package onnxruntime-web is not installed.',
  },
  NETWORK_FAILED: {
    code: -2635,
    message: 'The network of the profile gave no score: {}',
    when: 'Filter, `sosia profile import` and applications with a network, if it returns no probability or vector, takes too long or exceeds its memory.',
  },
  CLUSTER_UNREACHABLE: {
    code: -2700,
    message: 'The cluster cannot be reached: {}',
    when: 'With `--cluster`, if no host of the cluster answers. Nothing was changed.',
  },
  CLUSTER_DENIED: {
    code: -2701,
    message: 'The cluster refuses the user or the password: {}',
    when: 'With `--cluster`, for wrong credentials or a user without the necessary rights.',
  },
  CLUSTER_FOREIGN: {
    code: -2702,
    message: 'The indexes of the cluster are not those of this service: {}',
    when: 'At the start with `--cluster`, if an index of the expected name was made by something else.',
  },
  CLUSTER_FORMAT: {
    code: -2703,
    message: 'The indexes of the cluster are not ones this version can read: {}',
    when: 'At the start with `--cluster`, for indexes of another version.',
  },
  CLUSTER_UNSUITABLE: {
    code: -2704,
    message: 'The cluster cannot hold the pictures: {}',
    when: 'At the start with `--cluster`, if the cluster is no OpenSearch, or refuses a setting that searches need.',
  },
  CLUSTER_READ_ONLY: {
    code: -2705,
    message: 'The cluster takes no changes: {}',
    when: 'A change while the cluster or the index is read-only. Nothing was changed. Searches continue.',
  },
  CLUSTER_FULL: {
    code: -2706,
    message: 'There is no room in the cluster, and the change was not made: {}',
    when: 'A change while the disks of the cluster are full. Changes work again as soon as space is free. Searches continue.',
  },
  CLUSTER_INCOMPLETE: {
    code: -2707,
    message: 'A part of the cluster is missing; try again: {}',
    when: 'With `--cluster`, if a shard or the majority of the cluster is missing. An answer is never made from a part of the pictures.',
  },
  CLUSTER_OUTCOME_UNKNOWN: {
    code: -2708,
    message: 'The change may have been made or not; try again: {}',
    when: 'AddImage and DeleteImage with `--cluster`, if the cluster does not confirm a change in time, or only one of its copies has it. The same request again is safe.',
  },
  CLUSTER_UNEXPECTED: {
    code: -2709,
    message: 'The cluster has refused a request of the service: {}',
    when: 'With `--cluster`, for an answer of the cluster that the service does not expect.',
  },
  NOT_IN_CLUSTERS: {
    code: -2710,
    message: 'Not available in a cluster: {}',
    when: '`sosia app shards`, for a type without pictures. Operations on saved searches and events with `--cluster`.',
  },
  IMAGE_EXISTS: {
    code: -2801,
    message: 'The image id exists already: {}',
    when: 'AddImage, for the id of an existing picture, which does not change.',
  },
  IMAGE_NOT_FOUND: {
    code: -2802,
    message: 'Image not found: {}',
    when: 'DeleteImage, for an id that the application does not contain.',
  },
  CONFLICT: {
    code: -2810,
    message: 'Another change came first: {}',
    when: 'A change of a record that has changed since it was read. Read it again, and try again.',
  },
  UNKNOWN_GROUP: {
    code: -2840,
    message: 'There is no such group: {}',
    when: 'Judge, for a group that does not exist or has other pictures by now.',
  },
  UNKNOWN_VERDICT: {
    code: -2841,
    message: 'There is no such verdict: {}',
    when: 'UndoVerdict, for a verdict that does not exist or was undone.',
  },
  BAD_EXAMPLES: {
    code: -2842,
    message: 'The examples of the profile do not fit: {}',
    when: 'AddExample and TrainProfile: too few or too many examples, or a training that is under way.',
  },
  UNKNOWN_IGNORED: {
    code: -2843,
    message: 'There is no such picture in the ignore list: {}',
    when: 'DeleteIgnored, for an id that the ignore list does not contain.',
  },
  IGNORE_LIST_FULL: {
    code: -2844,
    message: 'The ignore list is full: {}',
    when: 'AddIgnored, for one picture too many: every search looks for each of them.',
  },
  UNKNOWN_SOURCE: {
    code: -2850,
    message: 'There is no such source: {}',
    when: 'Operations on a source, for a name or an id without one.',
  },
  SOURCE_NAME_TAKEN: {
    code: -2851,
    message: 'Another source has this name: {}',
    when: 'CreateSource.',
  },
  SOURCE_REFUSED: {
    code: -2852,
    message: 'The service may not follow this: {}',
    when: 'CreateSource and the passes of a source, for what the settings of the service do not allow.',
  },
  UNKNOWN_SAVED_SEARCH: {
    code: -2845,
    message: 'There is no such saved search: {}',
    when: 'DeleteSavedSearch, for a name without a search.',
  },
  SAVED_SEARCHES_FULL: {
    code: -2846,
    message: 'The application has as many saved searches as it may: {}',
    when: 'SaveSearch, for one search too many.',
  },
  UNKNOWN_EVENT: {
    code: -2849,
    message: 'There is no such event: {}',
    when: 'JudgeEvent, for an event that was never made or that was too old to be kept.',
  },
  UNKNOWN_WEBHOOK: {
    code: -2847,
    message: 'There is no such webhook: {}',
    when: 'RotateWebhookSecret, ResumeWebhook and DeleteWebhook, for a name without a webhook.',
  },
  WEBHOOKS_FULL: {
    code: -2848,
    message: 'The application has as many webhooks as it may: {}',
    when: 'AddWebhook, for one webhook too many.',
  },
  STORE_WRITE_FAILED: {
    code: -2890,
    message: 'The change was not stored: {}',
    when: 'A change during a failed write, such as AddImage. After a restart, the change may be present or not.',
  },
  STORE_READ_ONLY: {
    code: -2891,
    message: 'The store takes no changes: {}',
    when: 'A change after a failed write, until the server restarts. Also if damage makes changes unsafe, until `sosia repair`. Searches continue.',
  },
  STORE_DAMAGED: {
    code: -2892,
    message: 'The stored data is damaged: {}',
    when: 'A record or a file of the data folder fails its checks. A change that needs a damaged page is refused; other changes are not affected.',
  },
  STORE_LOCKED: {
    code: -2893,
    message: 'The data folder is in use by another server: {}',
    when: 'At the start, for a data folder in use by a running server.',
  },
  STORE_FORMAT: {
    code: -2894,
    message: 'The data folder is not one this version can read: {}',
    when: 'At the start, for a data folder of another version, or without its format file.',
  },
  STORE_UNAVAILABLE: {
    code: -2895,
    message: 'The data folder cannot be used: {}',
    when: 'At the start, for a data folder that cannot be created, read or written.',
  },
  SNAPSHOT_FAILED: {
    code: -2896,
    message: 'No snapshot was made: {}',
    when: 'A snapshot into a folder that is not empty or cannot be written.',
  },
  STORE_FULL: {
    code: -2897,
    message: 'There is no room on the disk, and the change was not stored: {}',
    when: 'A change while the disk of the data folder is full. Changes work again as soon as space is free. Searches continue.',
  },
  STORE_INCONSISTENT: {
    code: -2898,
    message: 'The files of the data folder do not belong together: {}',
    when: 'At the start, if a file of the data folder is missing, empty, an earlier copy or of another folder. Also if it has tables or triggers that this service did not create.',
  },
} as const satisfies Record<string, { code: number; message: string; when: string }>;

export type ErrorName = keyof typeof errors;

/** A failed operation. Becomes HTTP 200 with the negative code in the envelope. */
export class Failure extends Error {
  readonly error: ErrorName;
  readonly code: number;
  readonly detail: string;
  constructor(error: ErrorName, detail: string) {
    super(errors[error].message.replace('{}', () => detail));
    this.error = error;
    this.detail = detail;
    this.code = errors[error].code;
  }
}

export function fail(error: ErrorName, detail = ''): Failure {
  return new Failure(error, detail);
}
