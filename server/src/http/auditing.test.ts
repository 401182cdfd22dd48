import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administration, operations } from '@sosia/contract';
import type { AuditedChange } from '../administration/audit-trail.ts';
import type { Caller } from '../applications/applications.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { errors, fail } from '../errors.ts';
import { auditChange, auditRefusal } from './auditing.ts';
import type { HttpContext } from './context.ts';
import type { Request } from './request.ts';

const entries: [AuditedChange, string][] = [];
const audit = {
  note: async (change: AuditedChange, durably: boolean) => void entries.push([change, durably ? 'flushed' : 'written']),
  collect: (change: AuditedChange) => void entries.push([change, 'collected']),
};
const caller = { key: { id: '01', name: 'owner' }, application: {} } as unknown as Caller;

/** Enters a change with these parameters. @returns its detail, and what became of it */
async function entered(operation: Parameters<typeof auditChange>[0], values: [string, string][]): Promise<string[]> {
  const raw = new RawParameters();
  for (const [name, text] of values) raw.addText(name, text, 'body');
  await auditChange(operation, caller, raw, { audit } as unknown as HttpContext);
  const [{ detail, number, application }, how] = entries.pop()!;
  assert.deepEqual([number, application], [0, '']);
  return [detail, how];
}

test('an entry has the parameters that were given, cut, without secrets, DNA and what the operation does not read', async () => {
  const given: [string, string][] = [
    ['application_key', 'secret'],
    ['image_id', 'x'.repeat(300)],
    ['keywords', 'a'],
    ['keywords', 'b'],
    ['dna', 'DNA'],
    ['unknown', 'u'],
  ];
  const detail = `image_id=${'x'.repeat(200)} keywords=a,b`;
  assert.deepEqual(await entered(operations.addImage, given), [detail, 'collected']);
});

test('an entry has no secret that an operation is given', async () => {
  const given: [string, string][] = [
    ['bucket', 'b'],
    ['secret_key', 'SECRET'],
  ];
  const [detail] = await entered(administration.createSource, given);
  assert.equal(detail, 'bucket=b');
});

test('a change of keys and applications is flushed before its answer, one of pictures is written', async () => {
  assert.deepEqual(await entered(administration.createKey, [['name', 'n']]), ['name=n', 'flushed']);
  assert.deepEqual(await entered(operations.deleteImage, [['image_id', 'a']]), ['image_id=a', 'written']);
});

test('an entry without an application is of the service, and a refused attempt has its address and its code', () => {
  const none = { kind: 'no key', administrator: false, key: '', who: '', application: '', number: 0 };
  const refused: unknown[] = [];
  const context = { audit: { refuse: (...of: unknown[]) => refused.push(...of) } } as unknown as HttpContext;
  const request = { socket: { remoteAddress: '10.0.0.1' } } as unknown as Request;
  auditRefusal('ListKeys', fail('UNKNOWN_APPLICATION'), context, request);
  assert.deepEqual(refused, [{ ...none, what: 'ListKeys', code: errors.UNKNOWN_APPLICATION.code }, '10.0.0.1']);
});
