import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '../applications/application.ts';
import { fail } from '../errors.ts';
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
