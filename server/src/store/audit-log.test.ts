import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { AuditEntry } from '@sosia/contract';
import { appendAudit, AuditFiles } from './audit-log.ts';
import { openFilesIn } from './open-files.test.kit.ts';

/** Bytes after which a file is full: those of two entries. */
const FILE_BYTES = 300;

let folder: string;
let log: AuditFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sosia-audit-log-'));
  log = new AuditFiles(folder, FILE_BYTES);
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (i: number, code = 0): AuditEntry => ({
  ...({ kind: 'key', administrator: false, key: '01', who: 'owner', what: 'AddImage', application: 'a' } as const),
  ...{ at: new Date(Date.UTC(2026, 0, 1) + i).toISOString(), code, number: i % 2, detail: `entry ${i}` },
});
const numbersOf = (entries: readonly AuditEntry[]): number[] => entries.map(({ detail }) => Number(detail.slice(6)));
const page = (start = 0, count = 100, number?: number) => numbersOf(log.read({ start, count }, number));
const filled = async (count: number, code = 0): Promise<void> => {
  for (let i = 1; i <= count; i++) await log.append([entry(i, code)], i % 2 === 0);
};
const files = (): string[] => readdirSync(folder).sort();

test('the latest entries are in eight files that are full one after another, for the owner alone; the oldest go', async () => {
  await filled(3);
  assert.deepEqual(files(), ['audit.1.log', 'audit.log']);
  await filled(60);
  const numbered = [1, 2, 3, 4, 5, 6, 7].map((i) => `audit.${i}.log`);
  assert.deepEqual(files(), [...numbered, 'audit.log']);
  const found = page();
  assert.deepEqual(
    found,
    found.map((_, i) => 60 - i),
  );
  assert.ok(found.length > 7 * 2 && found.length <= 8 * 2, String(found.length));
  if (process.platform === 'win32') return;
  for (const name of files()) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
});

test('a file of 8 MB is full, for the service and for the command', async () => {
  const path = join(folder, 'audit.log');
  const MB = 2 ** 20;
  for (const append of [
    () => new AuditFiles(folder).append([entry(1)], true),
    async () => appendAudit(folder, entry(1)),
  ]) {
    for (const [size, names] of [
      [8 * MB - 1, ['audit.log']],
      [8 * MB, ['audit.1.log', 'audit.log']],
    ] as const) {
      appendFileSync(path, '');
      truncateSync(path, size);
      await append();
      assert.deepEqual(files(), names);
    }
    for (const name of files()) rmSync(join(folder, name));
  }
});

test('refused attempts have two files of their own, and push no change out', async () => {
  await filled(2);
  await filled(60, -1);
  assert.deepEqual(files(), ['audit.log', 'refused.1.log', 'refused.log']);
  const codes = log.read({ start: 0, count: 100 }).map(({ code }) => code);
  assert.equal(codes.filter((code) => code === 0).length, 2);
  assert.ok(codes.length > 2 + 2 && codes.length <= 2 + 4, String(codes.length));
});

test('pages and those of one application are the latest first, over all files', async () => {
  await filled(9);
  await log.append([entry(10, -1), entry(11), entry(12, -1)], false);
  const all = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
  assert.deepEqual(page(), all);
  for (const [start, count] of [
    [0, 1],
    [0, 5],
    [3, 4],
    [11, 1],
    [12, 3],
  ] as const)
    assert.deepEqual(page(start, count), all.slice(start, start + count), `${start} ${count}`);
  assert.deepEqual(page(1, 3, 1), [9, 7, 5]);
  assert.deepEqual(page(0, 9, 2), []);
});

test('a line that a power cut has torn is left out, and the entry after it is whole', async () => {
  await filled(1);
  appendFileSync(join(folder, 'audit.log'), '\n{"at":"2026-01');
  await log.append([entry(2)], true);
  assert.deepEqual(page(), [2, 1]);
});

test('the command and the service write into the same files', async () => {
  appendAudit(folder, entry(1));
  await log.append([entry(2)], true);
  appendAudit(folder, entry(3));
  assert.deepEqual(page(), [3, 2, 1]);
  assert.deepEqual(files(), ['audit.log']);
  assert.deepEqual(openFilesIn(folder), []);
});

test('an entry that cannot be written fails alone, and entries are in the order of the calls', async () => {
  rmSync(folder, { recursive: true });
  await assert.rejects(log.append([entry(1)], false), { code: 'ENOENT' });
  folder = mkdtempSync(join(tmpdir(), 'sosia-audit-log-'));
  log = new AuditFiles(folder);
  await Promise.all([2, 3, 4].map((i) => log.append([entry(i)], false)));
  assert.deepEqual(page(), [4, 3, 2]);
});
