import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, afterEach, before, mock, test } from 'node:test';
import type { AuditEntry } from '@sosia/contract';
import { appendAudit, AuditFiles } from './audit-log.ts';
import { makeFolder, syncFile, syncFolder, writeFormat } from './folder.ts';
import { openApplicationStore } from './application-store.ts';
import { openImageStore } from './image-store.ts';
import { rewriteFolder } from './rewrite.ts';
import { SectionWriter } from './saved-index/section-file.ts';

const skip = process.platform === 'win32' && 'Windows cannot open folders';
const scratch = fs.mkdtempSync(join(tmpdir(), 'sosia-flushes-'));
const source = join(scratch, 'source');
before(async () => {
  openApplicationStore(source).close();
  await (await openImageStore(source)).close();
});
after(() => fs.rmSync(scratch, { recursive: true }));
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});

/** The files and folders that this thread flushes during the work, in their order. Files opened with promises have no name here. */
async function flushedBy(work: () => unknown): Promise<string[]> {
  const paths = new Map<number, string>();
  const flushed: string[] = [];
  const { openSync, closeSync, fsyncSync, fdatasyncSync } = fs;
  mock.method(fs, 'openSync', (...args: Parameters<typeof openSync>) => {
    const file = openSync(...args);
    paths.set(file, relative(scratch, String(args[0])).replace(/\.\d+-\d+$/, '.draft') || '.');
    return file;
  });
  for (const [name, flush] of [
    ['fsyncSync', fsyncSync],
    ['fdatasyncSync', fdatasyncSync],
  ] as const)
    mock.method(fs, name, (file: number) => (flushed.push(paths.get(file)!), flush(file)));
  mock.method(fs, 'closeSync', (file: number) => (paths.delete(file), closeSync(file)));
  const handle = await fs.promises.open(process.execPath);
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  for (const name of ['sync', 'datasync'] as const) {
    const flush = handles[name];
    mock.method(handles, name, function (this: typeof handle) {
      flushed.push('a file');
      return flush.call(this);
    });
  }
  syncBuiltinESMExports();
  await work();
  mock.restoreAll();
  syncBuiltinESMExports();
  assert.deepEqual([...paths.values()], [], 'left open');
  return flushed;
}
const at = (...names: string[]): string => join(scratch, ...names);
const entry = { at: '2026-01-01T00:00:00.000Z', code: 0 } as AuditEntry;

test('a new folder is durable in its parents, and an old one is left alone', { skip }, async () => {
  assert.deepEqual(await flushedBy(() => makeFolder(at('a', 'b', 'c'))), ['a/b', 'a', '.']);
  assert.deepEqual(await flushedBy(() => makeFolder(at('a', 'b', 'c'))), []);
});

test('a format file is durable with its name', { skip }, async () => {
  fs.mkdirSync(at('format'));
  const unfinished = await flushedBy(() => writeFormat(at('format')));
  assert.deepEqual(unfinished, ['format/format', 'format']);
  const finished = await flushedBy(() => writeFormat(at('format'), 'a'.repeat(32)));
  assert.deepEqual(finished, ['format/format.draft', 'format']);
  const both = await flushedBy(() => (syncFile(at('format', 'format')), syncFolder(at('format'))));
  assert.deepEqual(both, ['format/format', 'format']);
});

test('a new file of the audit log is durable with its name, and each entry of a command', { skip }, async () => {
  fs.mkdirSync(at('audit'));
  const first = await flushedBy(() => appendAudit(at('audit'), entry));
  assert.deepEqual(first, ['audit', 'audit/audit.log']);
  assert.deepEqual(await flushedBy(() => appendAudit(at('audit'), entry)), ['audit/audit.log']);
  assert.deepEqual(await flushedBy(() => new AuditFiles(at('audit'), 1).append([entry], false)), ['audit']);
  assert.deepEqual(await flushedBy(() => new AuditFiles(at('audit')).append([entry], true)), ['a file']);
});

test('a file of a saved index is durable under its name', { skip }, async () => {
  fs.mkdirSync(at('index'));
  const flushed = await flushedBy(async () => (await SectionWriter.create(at('index', 'file'))).finish());
  assert.deepEqual(flushed, ['a file', 'index']);
});

test('a rewritten folder is whole on the disk before the file that marks it', { skip }, async () => {
  const flushed = await flushedBy(() => rewriteFolder(source, at('rewritten')));
  const copies = ['images.db', 'applications.db'].map((name) => `rewritten/${name}`);
  assert.deepEqual(flushed, ['.', ...copies, 'rewritten', 'rewritten/format', 'rewritten', '.']);
});
