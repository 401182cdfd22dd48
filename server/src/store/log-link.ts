import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import type { Connection } from './database.ts';
import { identityOf, readIdentity, type StoredIdentity } from './identity.ts';
import { readLog } from './write-ahead-log.ts';

/** Attempts beside a service that begins rounds of the log meanwhile. */
const ATTEMPTS = 5;

/**
 * Whether the log of a database continues the file beside it. SQLite does not notice a file that was exchanged under its
 * log: it takes the pages that the log has from there, and all others from the file.
 *
 * The first identity in a log names the one that it replaced, which is that of the file; or the file has a later one,
 * which the log has too. What cannot be read counts as fitting: that is damage, which others report.
 * @param connection  to the same database
 */
export function logFits(path: string, connection: Connection): boolean {
  const root = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'identity'").get() as
    | { rootpage: number }
    | undefined;
  if (!root) return true;
  for (let attempt = 1; ; attempt++) {
    const { salts } = readLog(`${path}-wal`);
    const file = ofFileAlone(path);
    const log = readLog(`${path}-wal`);
    const found = log.frames.flatMap(({ page, bytes }) =>
      page === root.rootpage ? (identityInPage(bytes) ?? []) : [],
    );
    const [first] = found;
    if (!first || file === 'unreadable') return true;
    if (first.previous === file?.written || found.some(({ written }) => written === file?.written)) return true;
    if (log.salts === salts || attempt === ATTEMPTS) return false;
  }
}

/** The identity in a database file without its log, as before the first writing of the log to it. */
function ofFileAlone(path: string): StoredIdentity | 'unreadable' | undefined {
  if (statSync(path).size === 0) return undefined;
  try {
    const alone = new Database(`${pathToFileURL(path).href}?immutable=1`);
    const tables = alone.prepare("SELECT count(*) AS known FROM sqlite_schema WHERE name = 'identity'");
    return (tables.get() as { known: number }).known > 0 ? readIdentity(alone) : undefined;
  } catch {
    return 'unreadable';
  }
}

/**
 * The row of the table of the identity in its only page.
 * https://sqlite.org/fileformat2.html#b_tree_pages
 */
function identityInPage(page: Uint8Array): StoredIdentity | undefined {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const isLeafOfOne = bytes[0] === 13 && bytes.readUInt16BE(3) === 1;
  if (!isLeafOfOne) return undefined;
  try {
    let at = bytes.readUInt16BE(8);
    const integer = (): number => {
      for (let value = 0; ;) {
        const byte = bytes.readUInt8(at++);
        value = value * 128 + (byte & 127);
        if (byte < 128) return value;
      }
    };
    integer(); // the length of the payload
    integer(); // the number of the row
    at++; // the length of the header
    const [, record, crc] = [integer(), integer(), integer()];
    const length = (record - 12) / 2; // of a blob
    const width = [0, 1, 2, 3, 4, 6][crc] ?? 0;
    const sum = width === 0 ? crc - 8 : bytes.readUIntBE(at + length, width);
    return identityOf(bytes.subarray(at, at + length), sum);
  } catch {
    return undefined;
  }
}
