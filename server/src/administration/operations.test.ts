import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../applications/applications.ts';
import type { Failure } from '../errors.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { applicationOf, type Task } from './operation.ts';
import { administration } from './operations.ts';

test('the key of an application is refused, before anything is read, what concerns all of the service', async () => {
  const caller = { application: { name: 'own', record: { number: 1 } } } as unknown as Caller;
  const refused: string[] = [];
  for (const { name, run } of administration) {
    const outcome = run({ caller } as Task, new RawParameters());
    const error = await outcome.then(
      () => undefined,
      (cause: Failure) => cause.error,
    );
    if (error === 'NOT_ADMINISTRATOR') refused.push(name);
  }
  assert.deepEqual(refused, [
    'CreateApplication',
    'DeleteApplication',
    'AddExample',
    'TrainProfile',
    'DeleteProfile',
    'CreateSource',
  ]);
});

test('of several applications with one name, one is chosen by its number', () => {
  const application = (number: number, name: string) => ({ name, record: { number } });
  const all = [application(1, 'twin'), application(2, 'twin'), application(3, 'own')];
  const task = { caller: {}, applications: { all: () => all } } as unknown as Task;
  const outcome = (selector: string) => {
    try {
      return applicationOf(task, selector).record.number;
    } catch (cause) {
      return (cause as Failure).message;
    }
  };
  assert.match(String(outcome('twin')), /several are called twin; give one of the numbers 1, 2$/);
  assert.deepEqual([outcome('2'), outcome('own')], [2, 3]);
});
