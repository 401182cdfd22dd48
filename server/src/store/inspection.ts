import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { rowDigests } from './application-table.ts';
import { MADE, markOf, openUnchecked, type Connection } from './database.ts';
import { fileNames, readFormat, type Format, type Identified } from './folder.ts';
import { hasIdentity, readIdentity, sameGeneration, type Identity } from './identity.ts';
import { logFits } from './log-link.ts';
import { ADMINISTRATORS, differenceOf, RowDigestTable } from './row-digests.ts';
import type { Difference, KnownRow, RowDigests } from './row-digests.ts';
import { applicationSchema, imageSchema } from './schema.ts';
import { schemaFault } from './schema-fault.ts';
import type { Damage } from './store.ts';
import { lossOfLog } from './write-ahead-log.ts';

export interface Inspection {
  readonly format: Format;
  /** Whether both databases have a readable identity. */
  readonly identified: boolean;
  /**
   * Reasons against writing to the folder: a file that is missing, empty, older, of another folder, or with a foreign
   * schema.
   */
  readonly faults: readonly Damage[];
  /** Unreadable identities, lost logs and rows that are not the latest. The rest of such a folder is still served. */
  readonly damages: readonly Damage[];
  /** Rows of applications.db that are not the latest, since its log is damaged: their keys are not accepted. */
  readonly outdated: RowDigests;
  /** What a damaged log of applications.db has lost, and images.db is to note; without such a log it is a fault. */
  readonly lost?: Pick<Difference, 'other' | 'missing'>;
}

/**
 * Checks whether the files of a data folder belong together and contain only the tables of this service. Changes
 * nothing; other processes may use the folder meanwhile.
 * @throws STORE_FORMAT
 */
export function inspectFolder(folder: string): Inspection {
  // another process may be creating the folder, so a fault counts only if it persists
  for (let attempt = 1; ; attempt++) {
    const found = inspectOnce(folder);
    if (found.faults.length === 0 || attempt === 2) return found;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** @throws STORE_FORMAT, or STORE_INCONSISTENT, whose message names each wrong file and the remedy */
export function requireWhole(folder: string): Inspection {
  const found = inspectFolder(folder);
  if (found.faults.length === 0) return found;
  throw fail('STORE_INCONSISTENT', found.faults.map(({ file, what }) => `${join(folder, file)}: ${what}`).join('; '));
}

/** The state of a database file. */
interface Part {
  readonly file: string;
  /** `interrupted`: SQLite still has to undo the very first writes, which a power cut interrupted. */
  readonly state: 'missing' | 'empty' | 'interrupted' | 'unreadable' | 'found';
  readonly connection?: Connection;
  readonly identity?: Identity;
  readonly fault?: string;
  readonly damage?: string;
}

const remedy = 'Put back the file that belongs here, or restore a whole backup';

function inspectOnce(folder: string): Inspection {
  const stated = readFormat(folder);
  const applications = read(folder, fileNames.applications, applicationSchema);
  const images = read(folder, fileNames.images, imageSchema);
  const parts = [applications, images];
  const faults = parts.flatMap(({ file, fault }) => (fault ? [{ file, what: fault }] : []));
  const damages: Damage[] = parts.flatMap(({ file, damage }) => (damage ? [{ file, what: damage }] : []));
  const format = stated === 'damaged' ? formatOf(folder, applications, images) : stated;
  if (stated === 'damaged')
    damages.push({ file: fileNames.format, what: 'it cannot be read; both databases have its identity' });
  if (faults.length === 0) {
    for (const found of disagreement(format, applications, images)) {
      // frames that fail their checksum take a generation with them: damage, which is tolerated
      const loss = lossOfLog(join(folder, found.file));
      if (loss) damages.push(loss);
      else faults.push(found);
    }
  }
  const identified = parts.every(({ identity }) => identity);
  const found = { format, identified, faults, damages };
  if (!identified || faults.length > 0) return { ...found, outdated: new Map() };
  faults.push(...parts.flatMap((part) => exchanged(folder, part)));
  if (faults.length > 0) return { ...found, outdated: new Map() };
  const { outdated, other, missing, whole, unread } = compareRows(applications.connection!, images.connection!);
  damages.push(...unread);
  const lost = { other, missing: whole ? missing : [] };
  const isDamaged = lossOfLog(join(folder, fileNames.applications)) !== undefined;
  if (!isDamaged) faults.push(...earlierRows(lost));
  const all = new Map([...outdated, ...(isDamaged ? other : [])]);
  damages.push(...outdatedRows(all));
  return { ...found, outdated: all, lost };
}

/** Of a folder whose format file is damaged. */
function formatOf(folder: string, { identity: a }: Part, { identity: b }: Part): Format {
  if (a && a.folder === b?.folder) return { folder: a.folder, generation: 0 };
  throw fail(
    'STORE_FORMAT',
    `${join(folder, fileNames.format)}: it cannot be read, nor that both databases are of one folder`,
  );
}

/** A file and a log beside it that do not belong together. */
function exchanged(folder: string, { file, connection }: Part): Damage[] {
  if (logFits(join(folder, file), connection!)) return [];
  const what = `expected the file that ${file}-wal continues, found another one. Put back both files that belong here, or restore a whole backup`;
  return [{ file, what }];
}

/** What is known of rows that are not the latest. */
export function outdatedRows(outdated: RowDigests): Damage[] {
  const file = fileNames.applications;
  return [...outdated.keys()].map((number) =>
    number === ADMINISTRATORS
      ? { file, what: 'the keys of administrators are not the latest; none of them is accepted' }
      : { file, application: number, what: 'its row is not the latest; none of its keys is accepted' },
  );
}

function earlierRows({ other, missing }: Pick<Difference, 'other' | 'missing'>): Damage[] {
  const [first] = [...other.keys(), ...missing].sort((a, b) => a - b);
  if (first === undefined) return [];
  const row = first === ADMINISTRATORS ? 'the keys of administrators' : `the row of application ${first}`;
  const found = other.has(first) ? 'another' : 'none';
  const what = `expected ${row} that ${fileNames.images} knows, found ${found}: an earlier copy. ${remedy}`;
  return [{ file: fileNames.applications, what }];
}

/** Compares the rows of applications.db with what images.db says of them, both of one moment. */
function compareRows(
  applications: Connection,
  images: Connection,
): Difference & { whole: boolean; unread: readonly Damage[] } {
  for (;;) {
    const before = readIdentity(applications);
    const unread: Damage[] = [];
    const known = knownRows(images, before, (what) => unread.push({ file: fileNames.images, what }));
    const { digests, whole } = rowDigests(applications);
    if (readIdentity(applications).written === before.written)
      return { ...differenceOf(digests, known), whole, unread };
  }
}

/** Nothing where images.db has none, or lacks the latest changes with its log. */
function knownRows(
  images: Connection,
  { generation }: Identity,
  onDamage: (what: string) => void,
): ReadonlyMap<number, KnownRow> {
  try {
    images.exec('BEGIN'); // one snapshot
    const identity = readIdentity(images);
    const isLatest = identity.rows === true && identity.generation.count >= generation.count;
    return isLatest ? new RowDigestTable(images).read(onDamage) : new Map();
  } catch (cause) {
    onDamage(`the digests of the rows of applications: ${(cause as Error).message}`);
    return new Map();
  } finally {
    if (images.inTransaction) images.exec('ROLLBACK');
  }
}

function read(folder: string, file: string, schema: string): Part {
  const path = join(folder, file);
  const part = { file };
  if (!existsSync(path)) return { ...part, state: 'missing' };
  if (statSync(path).size === 0) return { ...part, state: 'empty' };
  try {
    const connection = openUnchecked(path);
    const mark = markOf(connection);
    const fault =
      mark > MADE
        ? `expected the mark ${MADE} (user_version), found ${mark}: of another version`
        : schemaFault(connection, mark === MADE ? schema : '');
    if (fault !== undefined) return { ...part, state: 'found', fault };
    if (mark === 0) return { ...part, state: 'empty' };
    try {
      if (!hasIdentity(connection)) return { ...part, state: 'found', connection };
      return { ...part, state: 'found', connection, identity: readIdentity(connection) };
    } catch (cause) {
      return { ...part, state: 'found', damage: (cause as Error).message };
    }
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    if (/^SQLITE_READONLY/.test(code) && existsSync(`${path}-journal`)) return { ...part, state: 'interrupted' };
    if (!/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(code)) throw cause;
    return { ...part, state: 'unreadable' }; // reported by the code that opens it
  }
}

function disagreement(format: Format, applications: Part, images: Part): Damage[] {
  const parts = [applications, images];
  if (typeof format === 'string') return unfinished(applications, images);
  const id = format.folder;
  const faults = parts.flatMap(({ file, state, identity, damage }): Damage[] => {
    const expected = `expected a database of the folder ${id}, found`;
    if (state === 'missing') return [{ file, what: `${expected} no such file. ${remedy}` }];
    if (state === 'interrupted') return [{ file, what: `${expected} one with a journal to undo. ${remedy}` }];
    if (state === 'empty') return [{ file, what: `${expected} an empty one. ${remedy}` }];
    if (state === 'unreadable' || damage !== undefined) return [];
    if (!identity) return []; // its row is damaged
    if (identity.folder !== id) return [{ file, what: `${expected} one of the folder ${identity.folder}. ${remedy}` }];
    return [];
  });
  const { identity: a } = applications;
  const { identity: b } = images;
  if (faults.length === 2 && a && a.folder === b?.folder) {
    const what = `expected the folder ${a.folder}, as in both databases, found ${id}. Put back the file that belongs here`;
    return [{ file: fileNames.format, what }];
  }
  if (faults.length > 0) return faults;
  const unequal = older(applications, images);
  return unequal.length > 0 ? unequal : bothOlder(format, applications, images);
}

/** Both databases of an earlier moment agree with one another. */
function bothOlder({ generation: noted }: Identified, { file, identity: a }: Part, { identity: b }: Part): Damage[] {
  if (!a || !b) return [];
  const found = Math.max(a.generation.count, b.generation.count);
  if (found >= noted) return [];
  return [{ file, what: `expected generation ${noted} of this folder, found ${found}: an earlier copy. ${remedy}` }];
}

/** A folder that is new or restored, or was interrupted while it was created or received its identity. */
function unfinished(applications: Part, images: Part): Damage[] {
  const lost = ({ file }: Part, because: string): Damage[] => [
    { file, what: `expected a database, found none, but ${because}. ${remedy}` },
  ];
  const absent = ({ state }: Part): boolean => ['missing', 'empty', 'interrupted'].includes(state);
  const { identity: a } = applications;
  const { identity: b } = images;
  if (absent(applications) && (b ?? hasPictures(images))) return lost(applications, 'images.db was in use');
  if (absent(images) && a && !a.unfinished) return lost(images, 'applications.db was in use with it');
  if (b && !a) {
    return [{ file: applications.file, what: `expected an identity as in ${images.file}, found none. ${remedy}` }];
  }
  if (a && b && a.folder !== b.folder) {
    return [{ file: images.file, what: `expected the folder ${a.folder}, found ${b.folder}. ${remedy}` }];
  }
  if (a && !a.unfinished && !b) {
    return [{ file: images.file, what: `expected an identity as in ${applications.file}, found none. ${remedy}` }];
  }
  return a && b ? older(applications, images) : [];
}

function hasPictures({ connection }: Part): boolean {
  return connection?.prepare("SELECT 1 FROM sqlite_sequence WHERE name = 'images' AND seq > 0").get() !== undefined;
}

/** Compares the generations, both from one snapshot. */
function older(applications: Part, images: Part): Damage[] {
  if (!applications.identity || !images.identity) return [];
  for (;;) {
    const before = readIdentity(applications.connection!);
    const { generation: found } = readIdentity(images.connection!);
    const { generation, next } = readIdentity(applications.connection!);
    if (!sameGeneration(before.generation, generation) || before.next?.nonce !== next?.nonce) continue;
    if (sameGeneration(found, generation) || sameGeneration(next, found)) return [];

    const [stale, good] = found.count > generation.count ? [applications, images] : [images, applications];
    const [had, wanted] = [generation.count, found.count].sort((x, y) => x - y);
    const what =
      had === wanted
        ? `expected generation ${wanted} of this folder, found that of another copy of it`
        : `expected generation ${wanted}, as in ${good.file}, found ${had}: an earlier copy`;
    return [{ file: stale.file, what: `${what}. ${remedy}` }];
  }
}
