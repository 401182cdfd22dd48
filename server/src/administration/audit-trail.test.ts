import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { AuditEntry } from '@sosia/contract';
import { errors } from '../errors.ts';
import { AuditFiles } from '../store/audit-log.ts';
import type { AuditedChange } from './audit-trail.ts';
import { AuditTrail } from './audit-trail.ts';

let folder: string;
let faults: unknown[];
let trail: AuditTrail;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sosia-audit-'));
  faults = [];
  trail = new AuditTrail(new AuditFiles(folder), (cause) => faults.push(cause));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (who: string, detail: string): AuditedChange => ({
  ...({ kind: 'key', administrator: false, key: who, who, what: 'AddImage', code: 0 } as const),
  ...{ number: 1, application: 'a', detail },
});
const written = (): string[] =>
  new AuditFiles(folder).read({ start: 0, count: 9 }).map(({ who, detail }) => `${who} ${detail}`);

test('what one key adds within a minute is one entry, which is written after the minute', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    for (const id of ['x', 'y', 'z']) trail.collect(change('one', id));
    trail.collect(change('two', 'x'));
    mock.timers.tick(59_999);
    assert.deepEqual(written(), []);
    mock.timers.tick(1);
    while (written().length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(written(), ['two x', 'one x and 2 more']);
    trail.collect(change('one', 'later'));
    mock.timers.tick(60_000);
    while (written().length < 3) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(written()[0], 'one later');
  } finally {
    mock.timers.reset();
  }
});

test('an attempt that was refused is written a minute later, though no other one follows', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    for (const who of ['one', 'two']) {
      const { detail: _, ...attempt } = change(who, '');
      trail.refuse({ ...attempt, code: errors.UNKNOWN_APPLICATION.code }, '10.0.0.1');
      mock.timers.tick(60_000);
      while (!written().includes(`${who} from=10.0.0.1`)) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    mock.timers.reset();
  }
});

test('a minute begins with the first picture after the last entry', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    trail.collect(change('one', 'x'));
    mock.timers.tick(40_000);
    await trail.note(change('two', 'deleted'), false);
    trail.collect(change('one', 'y'));
    mock.timers.tick(59_999);
    trail.collect(change('one', 'z'));
    mock.timers.tick(1);
    while (written().length < 3) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(written(), ['one y and 1 more', 'two deleted', 'one x']);
  } finally {
    mock.timers.reset();
  }
});

test('collected entries are written before the next change of another kind, and before the log is read', async () => {
  trail.collect(change('one', 'x'));
  await trail.note(change('two', 'deleted'), true);
  assert.deepEqual(written(), ['two deleted', 'one x']);
  trail.collect(change('one', 'y'));
  assert.equal((await trail.read({ start: 0, count: 1 }))[0]!.detail, 'y');
});

test('an entry that cannot be written is reported, and the change stands', async () => {
  rmSync(folder, { recursive: true });
  await trail.note(change('one', 'x'), false);
  assert.equal(faults.length, 1);
  assert.match(String(faults[0]), /ENOENT/);
});

test('where nothing has happened, nothing is written', async () => {
  const log = { append: async () => assert.fail(), read: () => [] };
  const quiet = new AuditTrail(log, (cause) => assert.fail(String(cause)));
  assert.deepEqual(await quiet.read({ start: 0, count: 1 }), []);
  await quiet.close();
});

test('only a change that demands it waits for the disk', async () => {
  const appended: [detail: string, durably: boolean][] = [];
  const log = {
    append: async (entries: readonly AuditEntry[], durably: boolean) =>
      void appended.push(...entries.map(({ detail }): [string, boolean] => [detail, durably])),
    read: () => [],
  };
  const quiet = new AuditTrail(log, (cause) => assert.fail(String(cause)));
  await quiet.note(change('one', 'a'), true);
  await quiet.note(change('one', 'b'), false);
  quiet.collect(change('one', 'c'));
  quiet.refuse(change('one', ''), 'd');
  await quiet.close();
  assert.deepEqual(appended, [
    ['a', true],
    ['b', false],
    ['c', false],
    ['from=d', false],
  ]);
});

test('refused attempts are written after their minute, each minute for itself', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    for (let minute = 1; minute <= 2; minute++) {
      for (let i = 0; i < 3; i++)
        trail.refuse(
          { ...change('one', ''), what: 'ListKeys', code: errors.SCOPE_REFUSED.code },
          '10.0.0.1',
          new Date(minute * 60_000),
        );
      mock.timers.tick(59_999);
      assert.equal(written().length, minute - 1);
      mock.timers.tick(1);
      while (written().length < minute) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(written(), Array(2).fill('one from=10.0.0.1 and 2 more'));
  } finally {
    mock.timers.reset();
  }
});
