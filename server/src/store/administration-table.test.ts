import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AdministrationTable } from './administration-table.ts';
import { key } from './application.test.kit.ts';
import { openDatabase } from './database.ts';
import { applicationSchema } from './schema.ts';

test('keys and last uses are stored apart; each that is damaged counts as empty, and is named once', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-administration-table-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(join(folder, 'applications.db'), applicationSchema);
  const said: string[] = [];
  const table = new AdministrationTable(database, (what) => said.push(what));
  assert.deepEqual([table.administrators(), table.lastUses(), table.administratorsRow()], [[], {}, undefined]);
  const keys = [key('one'), key('two')];
  table.saveAdministrators([key('replaced')]);
  table.saveAdministrators(keys);
  table.saveLastUses({ a: '2026-01-01' });
  assert.deepEqual([table.administrators(), table.lastUses(), said], [keys, { a: '2026-01-01' }, []]);
  assert.equal(Buffer.from(table.administratorsRow()!).toString(), JSON.stringify(keys));

  database.exec('UPDATE administration SET crc = crc + 1 WHERE number = 1');
  assert.throws(() => table.administratorsRow(), /expected the checksum \d+, found \d+/);
  for (let i = 0; i < 2; i++) assert.deepEqual([table.administrators(), table.lastUses()], [[], { a: '2026-01-01' }]);
  assert.match(said.join(), /^the keys of administrators: expected the checksum \d+, found \d+$/);
  database.exec('UPDATE administration SET record = (SELECT record FROM administration WHERE number = 1)');
  for (let i = 0; i < 2; i++) assert.deepEqual(table.lastUses(), {});
  assert.equal(said.length, 2);
  assert.match(said[1]!, /^the last uses of keys: /);
});
