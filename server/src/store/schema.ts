/** One row in each database. */
const identityTable = `
  CREATE TABLE identity (
    number INTEGER PRIMARY KEY,
    record BLOB NOT NULL,
    crc INTEGER NOT NULL
  );`;

/**
 * The tables of applications.db.
 *
 * - `applications`: rows are never removed, so that a missing one is detected and no number is assigned twice. A
 *   deleted application has no record.
 * - `networks`: in a table of its own, so that listing the names of profiles does not read them. The block has its own
 *   checksum.
 * - `administration`: few rows, each a JSON object about the service as a whole.
 */
export const applicationSchema = `
  CREATE TABLE applications (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT,
    crc INTEGER NOT NULL
  );
  CREATE TABLE profiles (
    name TEXT PRIMARY KEY,
    block BLOB NOT NULL,
    report TEXT NOT NULL,
    mistakes BLOB NOT NULL,
    crc INTEGER NOT NULL
  );
  CREATE TABLE networks (
    name TEXT PRIMARY KEY,
    mark TEXT NOT NULL,
    block BLOB NOT NULL
  );
  ${identityTable}
  CREATE TABLE administration (
    number INTEGER PRIMARY KEY,
    record BLOB NOT NULL,
    crc INTEGER NOT NULL
  );`;

/**
 * The tables of images.db.
 *
 * - `images`: a row for each picture.
 * - `thumbnails`: a row has the number of its picture; a picture may have none. A table of its own, so that a replay
 *   does not read it.
 * - `tallies`, `thumbnail_tallies`: the number of rows of each application and the sum of their checksums.
 * - `records`: small records about the pictures of an application. `details`: those of a picture.
 * - `row_digests`: the digest of each row of applications, and of the keys of administrators. They show whether
 *   applications.db has the latest rows, whatever generation it says.
 */
export const imageSchema = `
  CREATE TABLE images (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    application INTEGER NOT NULL,
    id BLOB NOT NULL,
    keywords BLOB NOT NULL,
    crc INTEGER NOT NULL,
    dna BLOB NOT NULL
  );
  CREATE INDEX images_of_application ON images (application);
  CREATE TABLE tallies (application INTEGER PRIMARY KEY, count INTEGER NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE thumbnails (
    number INTEGER PRIMARY KEY,
    application INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    jpeg BLOB NOT NULL
  );
  CREATE TABLE thumbnail_tallies (application INTEGER PRIMARY KEY, count INTEGER NOT NULL, sum INTEGER NOT NULL);
  ${identityTable}
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    application INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    body BLOB NOT NULL
  );
  CREATE UNIQUE INDEX records_by_id ON records (application, kind, id);
  CREATE TABLE details (
    number INTEGER PRIMARY KEY,
    application INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    body BLOB NOT NULL
  );
  CREATE TABLE row_digests (
    number INTEGER PRIMARY KEY,
    record BLOB NOT NULL,
    crc INTEGER NOT NULL
  );`;
