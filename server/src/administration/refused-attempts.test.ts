import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { AuditEntry } from '@sosia/contract';
import { errors } from '../errors.ts';
import { AuditFiles } from '../store/audit-log.ts';
import { type AuditedChange, AuditTrail } from './audit-trail.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sosia-trail-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const fail = (cause: unknown): never => assert.fail(String(cause));
const nobody = { kind: 'no key', administrator: false, key: '', who: '', application: '', number: 0 } as const;
const attempt = { ...nobody, what: 'ListKeys', code: errors.UNKNOWN_APPLICATION.code };
const change: AuditedChange = {
  ...({ kind: 'key', administrator: false, key: '01', who: 'boss', what: 'SetKey', code: 0 } as const),
  ...{ application: 'a', number: 1, detail: '' },
};
const all = { start: 0, count: 1000 };

test('any number of refused attempts are at most 21 entries, with their number, however often the log is read', async () => {
  const trail = new AuditTrail(new AuditFiles(folder), fail);
  for (let i = 0; i < 5000; i++) {
    trail.refuse({ ...attempt, what: `W${i}` }, `10.0.0.${i % 50}`);
    if (i % 500 === 0) {
      await trail.note(change, false);
      await trail.read(all);
    }
  }
  const entries = await trail.read(all);
  const refused = entries.filter(({ code }) => code !== 0);
  assert.deepEqual([refused.length, entries.length], [21, 31]);
  assert.ok(refused.some(({ detail }) => detail === 'from=10.0.0.0 and 99 more'));
  const further = refused.find(({ detail }) => detail === 'from=further addresses and 2999 more')!;
  assert.deepEqual([further.kind, further.administrator, further.number], ['no key', false, 0]);
  await trail.close();
  const stored = await new AuditTrail(new AuditFiles(folder), fail).read(all);
  assert.deepEqual(sorted(stored), sorted(entries));
  assert.ok(statSync(join(folder, 'refused.log')).size < 10_000);
});

const sorted = (entries: readonly AuditEntry[]): string[] =>
  entries.map((each) => JSON.stringify(Object.entries(each).sort())).sort();

test('refused attempts never push a change out of the log, and their files are bounded', async () => {
  const largest = 2000;
  const trail = new AuditTrail(new AuditFiles(folder, largest), fail);
  await trail.note(change, true);
  for (let i = 0; i < 100; i++) {
    trail.refuse(attempt, `10.0.0.${i}`);
    await new AuditFiles(folder, largest).append([{ at: new Date().toISOString(), ...attempt, detail: 'x' }], false);
  }
  await trail.close();
  const entries = await trail.read(all);
  assert.equal(entries.filter(({ what }) => what === 'SetKey').length, 1);
  const files = readdirSync(folder).filter((name) => name.startsWith('refused'));
  assert.deepEqual(files.sort(), ['refused.1.log', 'refused.log']);
  assert.ok(files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) < 2 * largest + 5000);
});

test('a page of the log is a part of the whole, with attempts that are not written yet', async () => {
  const trail = new AuditTrail(new AuditFiles(folder), fail);
  for (let i = 0; i < 30; i++) {
    await trail.note({ ...change, number: i % 3 }, false, new Date(2000 + i));
    trail.refuse({ ...attempt, number: i % 2 }, `10.0.0.${i % 7}`, new Date(60_000 + i));
  }
  for (const number of [undefined, 0, 1, 2]) {
    const whole = await trail.read(all, number);
    const pages: AuditEntry[] = [];
    for (let start = 0; start < whole.length; start += 4)
      pages.push(...(await trail.read({ start, count: 4 }, number)));
    assert.deepEqual(pages, whole);
    const times = whole.map(({ at }) => at);
    assert.deepEqual(times, [...times].sort().reverse());
  }
});
