import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'libsql';
import { schemaFault } from './schema-fault.ts';

const SCHEMA = 'CREATE TABLE a (b);\n  CREATE INDEX c ON a (b)';
function faultOf(sql: string, expected = SCHEMA): string | undefined {
  const database = new Database(':memory:');
  database.exec(sql);
  return schemaFault(database, expected);
}

test('objects are those of the schema, whatever their white space; one that is missing is no fault', () => {
  for (const sql of [SCHEMA, 'CREATE TABLE a  (b);CREATE INDEX c\nON a (b)', 'CREATE TABLE a (b)', 'SELECT 1'])
    assert.equal(faultOf(sql), undefined, sql);
  assert.equal(faultOf(`${SCHEMA}; CREATE VIEW d AS SELECT 1`), 'it has the view d, which this service did not make');
  assert.equal(faultOf('CREATE TABLE a (b)', ''), 'it has the table a, which this service did not make');
});

test('another definition is named by its first 200 characters', () => {
  const column = 'x'.repeat(300);
  const found = `CREATE TABLE a (b, ${column}`.slice(0, 200);
  const fault = faultOf(`CREATE TABLE a (b, ${column})`);
  assert.equal(fault, `expected the table a as CREATE TABLE a (b), found ${found}`);
});

test('a list of tables with zeros, or with a row of nothing, is damage', () => {
  for (const change of [
    "sql = CAST(x'00' AS TEXT)",
    "name = CAST(x'610062' AS TEXT)",
    'type = NULL, name = NULL, sql = NULL',
  ]) {
    const database = new Database(':memory:');
    database.exec(`${SCHEMA}; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET ${change} WHERE name = 'c'`);
    assert.throws(() => schemaFault(database, SCHEMA), {
      code: 'SQLITE_CORRUPT',
      message: 'the list of its tables is damaged',
    });
  }
});
