import Database from 'libsql';
import type { Connection } from './database.ts';

/**
 * Finds tables, indexes, views and triggers that the schema does not create, or creates differently. A trigger in a
 * restored file could otherwise change or remove any data. A missing one is damage, reported by its reader.
 * @throws Error with the code SQLITE_CORRUPT if the list of tables is unreadable
 */
export function schemaFault(database: Connection, schema: string): string | undefined {
  const expected = expectedObjects(schema);
  const found = objectsOf(database);
  for (const [name, sql] of found) {
    if (!expected.has(name)) return `it has the ${name}, which this service did not make`;
    if (expected.get(name) !== sql) return `expected the ${name} as ${expected.get(name)}, found ${sql.slice(0, 200)}`;
  }
  return undefined;
}

const known = new Map<string, ReadonlyMap<string, string>>();

function expectedObjects(schema: string): ReadonlyMap<string, string> {
  const found = known.get(schema);
  if (found) return found;
  const model = new Database(':memory:');
  model.exec(schema);
  const objects = objectsOf(model);
  known.set(schema, objects);
  return objects;
}

/** By kind and name, with the creating statement of each, ignoring white space. */
function objectsOf(database: Connection): Map<string, string> {
  const rows = database
    .prepare(
      'SELECT CAST(type AS BLOB) AS type, CAST(name AS BLOB) AS name, CAST(sql AS BLOB) AS sql FROM sqlite_schema',
    )
    .all() as { type: Uint8Array | null; name: Uint8Array | null; sql: Uint8Array | null }[];
  const text = (bytes: Uint8Array | null): string => new TextDecoder().decode(bytes ?? new Uint8Array());
  // zeros if the page of this table was truncated; a row with a statement counts, whatever its kind and name
  const isDamaged = (fields: string[]) => fields.join('') === '' || fields.some((field) => field.includes('\0'));
  if (rows.some(({ type, name, sql }) => isDamaged([type, name, sql].map(text)))) {
    throw Object.assign(new Error('the list of its tables is damaged'), { code: 'SQLITE_CORRUPT' });
  }
  return new Map(
    rows.map(({ type, name, sql }) => [`${text(type)} ${text(name)}`, text(sql).replace(/\s+/g, ' ').trim()]),
  );
}
