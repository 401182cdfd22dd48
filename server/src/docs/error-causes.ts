import type { ErrorName } from '../errors.ts';

/** When each failure occurs: for documents and SDKs alone, so that confined children do not load it. */
export const errorCauses: Readonly<Record<ErrorName, string>> = {
  INTERNAL: 'A fault of the service itself.',
  NOT_ENOUGH_INFORMATION: 'AddImage and the searches, for a picture that is flat, tiny or without structure.',
  NOT_A_PICTURE: 'A picture file is empty, or of no picture format.',
  UNSUPPORTED_FORMAT:
    'A picture of a format, or of a variant of a format, that the service does not read (SVG, PDF, JPEG XL, …).',
  PICTURE_TOO_LARGE:
    'Over 20 MB of file, 50 million pixels, 16,383 pixels a side or 256 MB of memory while decoding. The header decides, before decoding.',
  DAMAGED_PICTURE: 'A picture file that is truncated, inconsistent or cannot be decoded completely.',
  DECODE_TIMEOUT:
    'Decoding and describing exceeded the time limit (processor time on a busy machine), and the decoder was stopped.',
  DECODER_CRASHED: 'The decoder process crashed on this picture or during its work. Other requests are not affected.',
  QUARANTINED_PICTURE: 'The same file has already stopped two decoders.',
  BAD_DNA: 'A DNA that is damaged, not canonical, of another version or of another application type.',
  IMAGE_OR_DNA: 'AddImage, AddIgnored, SaveSearch and MarkWrong with both or with neither.',
  BAD_HASHES:
    'ImportHashes and SearchHashes, for a hash that is not 64 hexadecimal digits, a quality that is not 0 to 100, a label over 255 characters, or a file of no known form.',
  FETCHING_OFF: 'The address of a picture or of a webhook, where `fetch_hosts` is off.',
  ADDRESS_REFUSED:
    'An address that is not http or https, has a user or a password, has a host or a port that `fetch_hosts` does not allow, or leads into a network that is not public, directly or by a redirect.',
  NOT_FETCHED:
    'A server that does not answer with at most 20 MB in time: not found, too slow, too many redirects, compressed. The console, for an original of a source that cannot be read.',
  UNKNOWN_APPLICATION:
    "The application_key is missing, unknown or disabled, or an administrator's, which is of no application. The cases have the same answer.",
  NOT_SIGNED_IN: 'The console, for a request without a valid session.',
  SCOPE_REFUSED: 'A key without the scope that the operation needs.',
  KEY_EXPIRED: 'A key after its expiry, and one that was replaced, after the grace period.',
  NOT_ADMINISTRATOR:
    'An operation of administration with the key of an application, where it is not about this application alone.',
  UNKNOWN_KEY:
    'SetKey, RotateKey and RevokeKey, for an id or a name without a key. SaveSearch, for a `watched_key` that is unknown or of a disabled application.',
  KEY_NAME_TAKEN: 'CreateKey and SetKey.',
  APPLICATION_NAME_TAKEN: 'CreateApplication and SetApplication.',
  NO_SUCH_APPLICATION:
    'Operations of administration, for a name or a number without an application, or a name that several have.',
  APPLICATION_MOVED:
    'A change of an application that `sosia move` has copied to another place, which takes the changes now. `sosia app enable` takes them here again.',
  MISSING_PARAMETER: 'A required parameter is absent or empty.',
  REPEATED_PARAMETER:
    'A parameter that is not a list is given twice, other than with the same text once in the query string and once in the body. Also FineComparison with a file and an id for the same picture.',
  BAD_PARAMETER: 'For example, a number out of range, an invalid colour, or more than 3 MB of text in one request.',
  BAD_TEXT: 'Malformed percent-encoding, invalid UTF-8, a control character.',
  BAD_IMAGE_ID: 'An image_id, alone or in ids_list, that breaks the rule for image ids.',
  TOO_MANY_IDS: 'More than 10,000 ids.',
  NOT_CONFIRMED:
    'EmptyApplication and DeleteApplication, where `confirm` is not the name of the application. ConfirmSource, for other `removals` than those of the question.',
  BAD_KEYWORD: 'A keyword that breaks the rule for keywords.',
  TOO_MANY_KEYWORDS: 'More than 100 different keywords in one request.',
  DOES_NOT_APPLY:
    'An operation the application type excludes, such as a colour operation on a Media Matching application.',
  MALFORMED_REQUEST: 'Not HTTP, no Host header or several, a body that contradicts its header, a truncated body.',
  UNKNOWN_PATH: 'A path that names no operation of this port.',
  METHOD_NOT_ALLOWED: 'An operation by any method but GET and POST, and CONNECT.',
  REQUEST_TIMEOUT: 'Headers or a body that arrive too slowly.',
  REQUEST_TOO_LARGE: 'A body above the limit.',
  HEADERS_TOO_LARGE: 'Request line and headers above the limit. Long lists of ids may be sent by POST.',
  FORBIDDEN:
    'A change by GET that a browser sends for a foreign page or as a prefetch. Also a request to the console that its own page did not send.',
  OVERLOADED: 'The service has more work than it can finish in time, or requests exceed their share of the memory.',
  SHUTTING_DOWN: '`GET /ready` while the service stops. Operations still run until the ports close.',
  LOADING:
    'From the start of the service until its pictures are loaded: `GET /ready` and operations on pictures except GetApplicationStatus. An application is served as soon as its own pictures are loaded.',
  UNKNOWN_IMAGE:
    'Operations on a reference picture except DeleteImage, for an id that the application does not contain. Judge, for a picture to keep that is not in the group.',
  ASYMMETRIC_DNA: 'SearchImageById on a Mobile Matching application.',
  NOT_ALIGNED: 'FineComparison, for two pictures that do not show the same thing.',
  NO_THUMBNAIL: 'FineComparison and SearchHashes by id, for a picture that was added as a DNA or without thumbnails.',
  NO_PROFILES: 'Filter, on an application without an existing profile. `sosia profile use` sets them.',
  UNKNOWN_PROFILE: '`sosia profile`, SetApplication and the operations on profiles, for a name without a profile.',
  PROFILE_EXISTS:
    '`sosia profile train` and `import`, AddExample and TrainProfile, for the name of an existing profile, which does not change.',
  BAD_PROFILE:
    '`sosia profile import`, for a file that is damaged, of another version or no profile, or for a network that contradicts its description. Filter, for a network that can no longer be used.',
  NO_NETWORK_RUNTIME:
    'Filter and `sosia profile import`, for an ONNX network if the optional package onnxruntime-web is not installed.',
  NETWORK_FAILED:
    'Filter, `sosia profile import` and applications with a network, if it returns no probability or vector, takes too long or exceeds its memory.',
  CLUSTER_UNREACHABLE: 'With `--cluster`, if no host of the cluster answers. Nothing was changed.',
  CLUSTER_DENIED: 'With `--cluster`, for wrong credentials or a user without the necessary rights.',
  CLUSTER_FOREIGN:
    'At the start with `--cluster`, if an index of the expected name was made by something else; later, if the index of the applications was removed.',
  CLUSTER_FORMAT: 'At the start with `--cluster`, for indexes of another version.',
  CLUSTER_UNSUITABLE:
    'At the start with `--cluster`, if the cluster is no OpenSearch, or refuses a setting that searches need. A search, for seconds after that setting was lowered. A new application whose index the cluster refuses.',
  CLUSTER_READ_ONLY: 'A change while the cluster or the index is read-only. Nothing was changed. Searches continue.',
  CLUSTER_FULL:
    'A change while the disks of the cluster are full. Changes work again as soon as space is free. Searches continue.',
  CLUSTER_INCOMPLETE:
    'With `--cluster`, if a shard or the majority of the cluster is missing. An answer is never made from a part of the pictures.',
  CLUSTER_OUTCOME_UNKNOWN:
    'A change with `--cluster`, if the cluster does not confirm it in time, or only one of its copies has it. The same AddImage or DeleteImage again is safe.',
  CLUSTER_UNEXPECTED: 'With `--cluster`, for an answer of the cluster that the service does not expect.',
  NOT_IN_CLUSTERS: '`sosia app shards`, for a type without pictures.',
  IMAGE_EXISTS: 'AddImage and AddIgnored, for the id of an existing picture, which does not change.',
  IMAGE_NOT_FOUND: 'DeleteImage, for an id that the application does not contain.',
  CONFLICT: 'A change of a record that has changed since it was read. Read it again, and try again.',
  UNKNOWN_GROUP: 'Judge, for a group that does not exist or has other pictures by now.',
  UNKNOWN_VERDICT: 'UndoVerdict, for a verdict that does not exist or was undone.',
  BAD_EXAMPLES: 'AddExample and TrainProfile: too few or too many examples, or a training that is under way.',
  UNKNOWN_IGNORED: 'DeleteIgnored, for an id that the ignore list does not contain.',
  IGNORE_LIST_FULL: 'AddIgnored, for one picture too many: every search looks for each of them.',
  UNKNOWN_SOURCE: 'Operations on a source, for a name or an id without one.',
  SOURCE_NAME_TAKEN: 'CreateSource.',
  SOURCE_REFUSED: 'CreateSource and the passes of a source, for what the settings of the service do not allow.',
  UNKNOWN_SAVED_SEARCH: 'DeleteSavedSearch, for a name without a search.',
  SAVED_SEARCHES_FULL: 'SaveSearch, for one search too many.',
  UNKNOWN_HASH_LIST: 'ExportHashes, SearchHashes and DeleteHashList, for a name without a list.',
  HASH_LISTS_FULL: 'ImportHashes, for one list, hash or label too many.',
  UNKNOWN_EVENT: 'JudgeEvent, for an event that was never made or that was too old to be kept.',
  UNKNOWN_WEBHOOK: 'RotateWebhookSecret, ResumeWebhook and DeleteWebhook, for a name without a webhook.',
  WEBHOOKS_FULL: 'AddWebhook, for one webhook too many.',
  STORE_WRITE_FAILED:
    'A change during a failed write, such as AddImage. After a restart, the change may be present or not.',
  STORE_READ_ONLY:
    'A change after a failed write, until the server restarts. Also if damage makes changes unsafe, until `sosia repair`. Searches continue.',
  STORE_DAMAGED:
    'A record or a file of the data folder fails its checks. A change that needs a damaged page is refused; other changes are not affected.',
  STORE_LOCKED: 'At the start, for a data folder in use by a running server.',
  STORE_FORMAT: 'At the start, for a data folder of another version, or without its format file.',
  STORE_UNAVAILABLE: 'At the start, for a data folder that cannot be created, read or written.',
  SNAPSHOT_FAILED: 'A snapshot into a folder that is not empty or cannot be written.',
  STORE_FULL:
    'A change while the disk of the data folder is full. Changes work again as soon as space is free. Searches continue.',
  STORE_INCONSISTENT:
    'At the start, if a file of the data folder is missing, empty, an earlier copy or of another folder. Also if it has tables or triggers that this service did not create.',
};
