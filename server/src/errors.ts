/**
 * Every failure of an operation: its name in the code, its number on the wire and its message. docs/error-causes.ts has
 * when it occurs, and docs/errors.md is generated from both. Bands: -1xxx the picture or the input (-10xx picture and DNA,
 * -11xx key, -12xx and -14xx parameters, -15xx what the application allows, -19xx the transport), -26xx queries, -27xx the
 * cluster, -28xx modifications. `{}` in a message is replaced by the expected and the actual value.
 */
export const errors = {
  INTERNAL: { code: -1000, message: 'Internal error; the log of the server tells more' },
  NOT_ENOUGH_INFORMATION: { code: -1002, message: 'The image does not hold enough information to be described: {}' },
  NOT_A_PICTURE: { code: -1010, message: 'Not a picture: {}' },
  UNSUPPORTED_FORMAT: { code: -1011, message: 'The picture format is not supported: {}' },
  PICTURE_TOO_LARGE: { code: -1012, message: 'The picture is too large: {}' },
  DAMAGED_PICTURE: { code: -1013, message: 'The picture is damaged: {}' },
  DECODE_TIMEOUT: { code: -1014, message: 'The picture took too long to decode: {}' },
  DECODER_CRASHED: { code: -1015, message: 'The decoder ended while it worked on the picture: {}' },
  QUARANTINED_PICTURE: { code: -1016, message: 'The picture is refused without decoding: {}' },
  BAD_DNA: { code: -1020, message: 'The DNA cannot be used: {}' },
  IMAGE_OR_DNA: { code: -1021, message: 'Expected either a picture or a DNA: {}' },
  BAD_HASHES: { code: -1022, message: 'The hashes cannot be used: {}' },
  FETCHING_OFF: { code: -1030, message: 'The service fetches no addresses; the setting fetch_hosts switches it on' },
  ADDRESS_REFUSED: { code: -1031, message: 'The address is refused: {}' },
  NOT_FETCHED: { code: -1032, message: 'The address could not be fetched: {}' },
  UNKNOWN_APPLICATION: { code: -1101, message: 'Unknown application key' },
  NOT_SIGNED_IN: { code: -1102, message: 'Not signed in, or the session expired' },
  SCOPE_REFUSED: { code: -1103, message: 'The key does not allow the operation: {}' },
  KEY_EXPIRED: { code: -1104, message: 'The key has expired: {}' },
  NOT_ADMINISTRATOR: { code: -1105, message: "Expected an administrator's key: {}" },
  UNKNOWN_KEY: { code: -1106, message: 'There is no such key: {}' },
  KEY_NAME_TAKEN: { code: -1107, message: 'Another key has this name: {}' },
  APPLICATION_NAME_TAKEN: { code: -1108, message: 'Another application has this name: {}' },
  NO_SUCH_APPLICATION: { code: -1109, message: 'There is no such application: {}' },
  APPLICATION_MOVED: { code: -1110, message: 'The application takes no changes here: {}' },
  MISSING_PARAMETER: { code: -1201, message: 'A parameter is missing: {}' },
  REPEATED_PARAMETER: { code: -1202, message: 'A parameter is given more than once: {}' },
  BAD_PARAMETER: { code: -1203, message: 'A parameter has a value that is not allowed: {}' },
  BAD_TEXT: { code: -1204, message: 'A parameter is not well-formed text: {}' },
  BAD_IMAGE_ID: { code: -1205, message: 'An image_id is not allowed: {}' },
  TOO_MANY_IDS: { code: -1206, message: 'ids_list holds too many ids: {}' },
  NOT_CONFIRMED: { code: -1207, message: 'The confirmation does not match: {}' },
  BAD_KEYWORD: { code: -1404, message: 'A keyword has characters that are not allowed: {}' },
  TOO_MANY_KEYWORDS: { code: -1405, message: 'Too many keywords: {}' },
  DOES_NOT_APPLY: { code: -1501, message: 'The operation does not apply to the type of the application: {}' },
  MALFORMED_REQUEST: { code: -1900, message: 'The request cannot be read: {}' },
  UNKNOWN_PATH: { code: -1901, message: 'Unknown path: {}' },
  METHOD_NOT_ALLOWED: { code: -1902, message: 'Method not allowed: {}' },
  REQUEST_TIMEOUT: { code: -1903, message: 'The request took too long to arrive: {}' },
  REQUEST_TOO_LARGE: { code: -1904, message: 'The request is too large: {}' },
  HEADERS_TOO_LARGE: { code: -1905, message: 'The address and the headers of the request are too large: {}' },
  FORBIDDEN: { code: -1906, message: 'Refused: {}' },
  OVERLOADED: { code: -1910, message: 'The service is busy; try again: {}' },
  SHUTTING_DOWN: { code: -1911, message: 'The service is shutting down' },
  LOADING: { code: -1912, message: 'The service is loading its pictures; try again: {}' },
  UNKNOWN_IMAGE: { code: -2601, message: 'Unknown image id: {}' },
  ASYMMETRIC_DNA: { code: -2609, message: 'SearchImageById is not available for asymmetric DNA' },
  NOT_ALIGNED: { code: -2620, message: 'The two pictures could not be aligned: {}' },
  NO_THUMBNAIL: { code: -2621, message: 'No thumbnail of the picture is stored: {}' },
  NO_PROFILES: { code: -2630, message: 'The application has no profiles: {}' },
  UNKNOWN_PROFILE: { code: -2631, message: 'Unknown profile: {}' },
  PROFILE_EXISTS: { code: -2632, message: 'The profile exists already: {}' },
  BAD_PROFILE: { code: -2633, message: 'The profile cannot be used: {}' },
  NO_NETWORK_RUNTIME: { code: -2634, message: 'The profile is a network, and what runs networks is not installed: {}' },
  NETWORK_FAILED: { code: -2635, message: 'The network of the profile gave no score: {}' },
  CLUSTER_UNREACHABLE: { code: -2700, message: 'The cluster cannot be reached: {}' },
  CLUSTER_DENIED: { code: -2701, message: 'The cluster refuses the user or the password: {}' },
  CLUSTER_FOREIGN: { code: -2702, message: 'The indexes of the cluster are not those of this service: {}' },
  CLUSTER_FORMAT: { code: -2703, message: 'The indexes of the cluster are not ones this version can read: {}' },
  CLUSTER_UNSUITABLE: { code: -2704, message: 'The cluster cannot hold the pictures: {}' },
  CLUSTER_READ_ONLY: { code: -2705, message: 'The cluster takes no changes: {}' },
  CLUSTER_FULL: { code: -2706, message: 'There is no room in the cluster, and the change was not made: {}' },
  CLUSTER_INCOMPLETE: { code: -2707, message: 'A part of the cluster is missing; try again: {}' },
  CLUSTER_OUTCOME_UNKNOWN: { code: -2708, message: 'The change may have been made or not; try again: {}' },
  CLUSTER_UNEXPECTED: { code: -2709, message: 'The cluster has refused a request of the service: {}' },
  NOT_IN_CLUSTERS: { code: -2710, message: 'Not available in a cluster: {}' },
  IMAGE_EXISTS: { code: -2801, message: 'The image id exists already: {}' },
  IMAGE_NOT_FOUND: { code: -2802, message: 'Image not found: {}' },
  CONFLICT: { code: -2810, message: 'Another change came first: {}' },
  UNKNOWN_GROUP: { code: -2840, message: 'There is no such group: {}' },
  UNKNOWN_VERDICT: { code: -2841, message: 'There is no such verdict: {}' },
  BAD_EXAMPLES: { code: -2842, message: 'The examples of the profile do not fit: {}' },
  UNKNOWN_IGNORED: { code: -2843, message: 'There is no such picture in the ignore list: {}' },
  IGNORE_LIST_FULL: { code: -2844, message: 'The ignore list is full: {}' },
  UNKNOWN_SOURCE: { code: -2850, message: 'There is no such source: {}' },
  SOURCE_NAME_TAKEN: { code: -2851, message: 'Another source has this name: {}' },
  SOURCE_REFUSED: { code: -2852, message: 'The service may not follow this: {}' },
  UNKNOWN_SAVED_SEARCH: { code: -2845, message: 'There is no such saved search: {}' },
  SAVED_SEARCHES_FULL: { code: -2846, message: 'The application has as many saved searches as it may: {}' },
  UNKNOWN_HASH_LIST: { code: -2853, message: 'There is no such list of hashes: {}' },
  HASH_LISTS_FULL: { code: -2854, message: 'The application has as many hashes as it may: {}' },
  UNKNOWN_EVENT: { code: -2849, message: 'There is no such event: {}' },
  UNKNOWN_WEBHOOK: { code: -2847, message: 'There is no such webhook: {}' },
  WEBHOOKS_FULL: { code: -2848, message: 'The application has as many webhooks as it may: {}' },
  STORE_WRITE_FAILED: { code: -2890, message: 'The change was not stored: {}' },
  STORE_READ_ONLY: { code: -2891, message: 'The store takes no changes: {}' },
  STORE_DAMAGED: { code: -2892, message: 'The stored data is damaged: {}' },
  STORE_LOCKED: { code: -2893, message: 'The data folder is in use by another server: {}' },
  STORE_FORMAT: { code: -2894, message: 'The data folder is not one this version can read: {}' },
  STORE_UNAVAILABLE: { code: -2895, message: 'The data folder cannot be used: {}' },
  SNAPSHOT_FAILED: { code: -2896, message: 'No snapshot was made: {}' },
  STORE_FULL: { code: -2897, message: 'There is no room on the disk, and the change was not stored: {}' },
  STORE_INCONSISTENT: { code: -2898, message: 'The files of the data folder do not belong together: {}' },
} as const satisfies Record<string, { code: number; message: string }>;

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

export function isFailure(cause: unknown, ...of: readonly ErrorName[]): cause is Failure {
  return cause instanceof Failure && of.includes(cause.error);
}

/** Undefined instead of one failure. */
export async function unless<T>(error: ErrorName, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (cause) {
    if (isFailure(cause, error)) return undefined;
    throw cause;
  }
}
