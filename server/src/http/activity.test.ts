import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { errors, fail } from '../errors.ts';
import type { ErrorName } from '../errors.ts';
import { Activity, INTERVAL_SECONDS, INTERVAL_COUNT } from './activity.ts';

const application = {} as Application;
const search = { name: 'SearchImageById' };
const add = { name: 'AddImage' };
const noon = Date.UTC(2026, 0, 1, 12);
const later = (intervals: number): number => noon + intervals * INTERVAL_SECONDS * 1000;

test('operations are counted in the interval of their end, and the series ends with the current interval', () => {
  const activity = new Activity();
  activity.note(application, search, 40, undefined, noon);
  activity.note(application, search, 60, undefined, noon);
  activity.note(application, add, 5, undefined, later(2));
  const { searches, additions, total_ms, slowest_ms } = activity.series(application, later(3));
  assert.equal(searches.length, INTERVAL_COUNT);
  assert.deepEqual(searches.slice(-4), [2, 0, 0, 0]);
  assert.deepEqual(additions.slice(-4), [0, 0, 1, 0]);
  assert.deepEqual(total_ms.slice(-4), [100, 0, 5, 0]);
  assert.deepEqual(slowest_ms.slice(-4), [60, 0, 5, 0]);
});

test('after a day an interval is used again, without its old numbers', () => {
  const activity = new Activity();
  activity.note(application, search, 40, undefined, noon);
  assert.equal(activity.series(application, later(INTERVAL_COUNT - 1)).searches[0], 1);
  assert.ok(activity.series(application, later(INTERVAL_COUNT)).searches.every((count) => count === 0));
  activity.note(application, add, 5, undefined, later(INTERVAL_COUNT));
  const { searches, additions } = activity.series(application, later(INTERVAL_COUNT));
  assert.deepEqual([searches.at(-1), additions.at(-1)], [0, 1]);
});

test('the series is of the last 24 hours in steps of five minutes, and an interval leaves the one of yesterday behind it', () => {
  assert.deepEqual([INTERVAL_SECONDS, INTERVAL_COUNT * INTERVAL_SECONDS], [300, 86_400]);
  const activity = new Activity();
  activity.note(application, search, 40, undefined, later(1 - INTERVAL_COUNT));
  activity.note(application, add, 5, undefined, noon);
  const { searches, additions } = activity.series(application, noon);
  assert.deepEqual([searches[0], additions.at(-1)], [1, 1]);
});

test('every operation is counted as a search, an addition, a deletion or another one', () => {
  for (const { name } of Object.values(operations)) {
    const activity = new Activity();
    activity.note(application, { name }, 1, undefined, noon);
    const { searches, additions, deletions, others } = activity.series(application, noon);
    const counts = [searches, additions, deletions, others].map((each) => each.at(-1));
    const kinds = [/^Search|^Filter$/, /^AddImage$/, /^DeleteImage$/, /^(?!Search|Filter$|AddImage$|DeleteImage$)/];
    assert.deepEqual(
      counts,
      kinds.map((kind) => Number(kind.test(name))),
      name,
    );
  }
});

test('what the store, a cluster, a child or the load prevents is a failure; every other error is a refusal', () => {
  const ofTheService = /^(?:STORE_|CLUSTER_|INTERNAL|DECODE_TIMEOUT|DECODER_CRASHED|NETWORK_FAILED|OVERLOADED)/;
  for (const error of Object.keys(errors) as ErrorName[]) {
    const activity = new Activity();
    activity.note(application, search, 1, fail(error), noon);
    const { failures, refusals } = activity.failed(application);
    assert.deepEqual([failures.length, refusals.length], ofTheService.test(error) ? [1, 0] : [0, 1], error);
  }
});

test('failures of the service are apart from refusals, so that a repeated import does not push them out', () => {
  const activity = new Activity();
  activity.note(application, add, 5, fail('STORE_READ_ONLY'), noon);
  for (let i = 0; i < 80; i++) activity.note(application, add, 1, fail('IMAGE_EXISTS', String(i)), noon);
  const { failures, refusals } = activity.failed(application);
  assert.deepEqual(
    failures.map(({ at, operation, code }) => [at, operation, code]),
    [['2026-01-01T12:00:00.000Z', 'AddImage', fail('STORE_READ_ONLY').code]],
  );
  assert.equal(refusals.length, 50);
  assert.match(refusals[0]!.message, /79/);
  const clustered = {} as Application;
  activity.note(clustered, add, 5, fail('CLUSTER_UNREACHABLE'), noon);
  assert.equal(activity.failed(clustered).failures.length, 1);
  const series = activity.series(application, noon);
  assert.deepEqual([series.failures.at(-1), series.refusals.at(-1), series.additions.at(-1)], [1, 80, 81]);
});

test('applications are apart, and one without operations has zeros', () => {
  const activity = new Activity();
  activity.note(application, search, 1, undefined, noon);
  const other = {} as Application;
  assert.ok(activity.series(other, noon).searches.every((count) => count === 0));
  assert.deepEqual(activity.failed(other), { failures: [], refusals: [] });
});
