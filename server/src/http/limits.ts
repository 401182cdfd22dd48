/**
 * Limits of a connection, in milliseconds and bytes. With the limits of Node and Fastify, slow and large clients could
 * occupy the service for minutes.
 */
export const limits = {
  /** A whole request, headers and body. */
  requestTimeout: 30_000,
  headersTimeout: 5_000,
  /** A socket without any data. */
  connectionTimeout: 35_000,
  keepAliveTimeout: 10_000,
  /** The interval of checks for the timeouts above. */
  connectionsCheckingInterval: 1_000,
  /** From the end of the body to the answer. */
  answerTimeout: 15_000,
  /** From writing the answer until the client has received it. */
  writeTimeout: 10_000,
  /** A body must deliver `slowBytes` in every `slowWindow`. */
  slowWindow: 5_000,
  slowBytes: 4_096,
  /**
   * How long the rest of a body is read and discarded before its request is refused; a client that still writes does
   * not read.
   */
  discardTimeout: 1_000,

  maxConnections: 8_192,
  maxRequestsPerSocket: 1_000,

  /** Request line and headers: a list of 10,000 ids of 24 characters, the semicolons percent-encoded, in the query string. */
  headerBytes: 320 * 1024,
  /** Unfinished headers and waiting requests of all connections together; headers of usual size are not counted. */
  headerBytesInFlight: 32 * 1024 * 1024,
  usualHeaderBytes: 4 * 1024,
  /** A picture of 20 MB and its form. */
  bodyBytes: 21 * 1024 * 1024,
  /** A JSON body: a picture of 6 MB as base64. */
  jsonBytes: 8 * 1024 * 1024,
  /** Names and values of a JSON body: a list of 10,000 texts, and all other parameters. */
  jsonValues: 11_000,
  /** All bodies in progress, of all connections. */
  bodyBytesInFlight: 256 * 1024 * 1024,
  /** Of these, all bodies without a key so far; one application has at most half of the rest. */
  bodyBytesWithoutKey: 64 * 1024 * 1024,
  /** Of these again, for the first 64 KB of each body: most clients send the key before the picture. */
  firstBytesWithoutKey: 16 * 1024 * 1024,
  /** Names and values of all texts of one request: a list of 10,000 ids of 255 bytes, and all other parameters. */
  textBytes: 3 * 1024 * 1024,
  /** A picture that the service fetches. */
  fetchedBytes: 20 * 1024 * 1024,
  /** Pictures that the service fetches at once, for all connections; one application has at most half of them. */
  fetchesInFlight: 32,
  /** Operations in progress, of all connections; one application has at most half of them. */
  operationsInFlight: 512,
  /** Streams of events, of all connections; one application has at most half of them. */
  streams: 1_024,
  formFields: 1_000,
  /** Parts of a multipart body: 100 keywords, and every other parameter. */
  parts: 128,
  partHeaderBytes: 16 * 1024,
  boundaryLength: 70,

  /** Requests with a wrong key from one address: the burst, and the rate per second. */
  wrongKeysAtOnce: 1_000,
  wrongKeysPerSecond: 50,

  /** Times of a stopping service: accepting connections, waiting for further requests, and the total. */
  stopGrace: 1_000,
  stopLinger: 250,
  stopTimeout: 10_000,
};

export type Limits = typeof limits;
