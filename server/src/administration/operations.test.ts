import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../applications/applications.ts';
import type { Failure } from '../errors.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import type { Administered } from './operation.ts';
import { administration } from './operations.ts';

test('the key of an application is refused, before anything is read, what concerns all of the service', async () => {
  const caller = { application: { name: 'own', record: { number: 1 } } } as unknown as Caller;
  const refused: string[] = [];
  for (const { name, run } of administration) {
    const outcome = run(caller, new RawParameters(), {} as Administered);
    const error = await outcome.then(
      () => undefined,
      (cause: Failure) => cause.error,
    );
    if (error === 'NOT_ADMINISTRATOR') refused.push(name);
  }
  assert.deepEqual(refused, ['CreateApplication', 'DeleteApplication', 'AddExample', 'TrainProfile', 'DeleteProfile']);
});
