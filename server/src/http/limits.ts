/**
 * What a connection may take, in milliseconds and bytes. Node's and Fastify's own limits let slow and large clients
 * hold on to the service for minutes.
 */
export const limits = {
  /** A whole request, headers and body. */
  requestTimeout: 30_000,
  headersTimeout: 5_000,
  /** A socket on which nothing moves. */
  connectionTimeout: 35_000,
  keepAliveTimeout: 10_000,
  /** How often the timeouts above are looked at. */
  connectionsCheckingInterval: 1_000,
  /** From the end of the body to the answer. */
  answerTimeout: 15_000,
  /** From the answer being written to the client having taken it. */
  writeTimeout: 10_000,
  /** A body must bring `slowBytes` in every `slowWindow`. */
  slowWindow: 5_000,
  slowBytes: 4_096,
  /** How long the rest of a body is read on and thrown away before its request is refused; a client that still writes does not read. */
  discardTimeout: 1_000,

  maxConnections: 8_192,
  maxRequestsPerSocket: 1_000,

  /** Request line and headers: a list of 10,000 ids of 24 characters, the semicolons percent-encoded, in the query string. */
  headerBytes: 320 * 1024,
  /** Headers that have begun and not ended, of all connections; those that are shorter than usual ones are not counted. */
  headerBytesInFlight: 64 * 1024 * 1024,
  usualHeaderBytes: 8 * 1024,
  /** A picture of 20 MB and what comes with it. */
  bodyBytes: 21 * 1024 * 1024,
  /** All bodies being read or worked on, of all connections. */
  bodyBytesInFlight: 256 * 1024 * 1024,
  /** Of these, all bodies together whose key has not come yet; one application has half of the rest at most. */
  bodyBytesWithoutKey: 64 * 1024 * 1024,
  /** Of these again, for the first 64 KB of each body: most clients send the key before the picture. */
  firstBytesWithoutKey: 16 * 1024 * 1024,
  /** Names and values of all texts of one request: a list of 10,000 ids of 255 bytes, and all other parameters. */
  textBytes: 3 * 1024 * 1024,
  /** Operations being carried out, of all connections; one application has half of them at most. */
  operationsInFlight: 512,
  formFields: 1_000,
  /** Parts of a multipart body: 100 keywords, and every parameter besides. */
  parts: 128,
  partHeaderBytes: 16 * 1024,
  boundaryLength: 70,

  /** Requests with a wrong key from one address: so many at once, and so many a second. */
  wrongKeysAtOnce: 1_000,
  wrongKeysPerSecond: 50,

  /** How long a stopping service still takes connections, how long it then waits for their next requests, and the most in all. */
  stopGrace: 1_000,
  stopLinger: 250,
  stopTimeout: 10_000,
};

export type Limits = typeof limits;
