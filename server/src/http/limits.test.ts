import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { limits } from './limits.ts';

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');

test('the limits agree with each other', () => {
  assert.ok(limits.headersTimeout <= limits.requestTimeout);
  assert.ok(limits.requestTimeout <= limits.connectionTimeout);
  assert.ok(limits.keepAliveTimeout < limits.connectionTimeout);
  assert.ok(limits.stopGrace + limits.stopLinger < limits.stopTimeout);
  // an answer to a client that still writes is sent, and taken, within the time of a stop
  assert.ok(limits.discardTimeout < limits.writeTimeout && limits.writeTimeout <= limits.stopTimeout);
  // a buffer of half the size is copied into the one for the whole body
  assert.ok(2 * limits.bodyBytes <= limits.bodyBytesWithoutKey - limits.firstBytesWithoutKey);
  assert.ok(limits.usualHeaderBytes * limits.maxConnections <= limits.headerBytesInFlight);
  assert.ok(limits.bodyBytesWithoutKey <= limits.bodyBytesInFlight / 4);
});

test('the largest requests of the interface fit: a picture of 20 MB, 10,000 ids, 100 keywords', () => {
  const MB = 1024 * 1024;
  assert.ok(limits.bodyBytes >= 20 * MB + limits.parts * 200);
  assert.ok(limits.jsonBytes >= (6 * MB * 4) / 3);
  assert.ok(limits.textBytes >= 10_000 * 256);
  assert.ok(limits.headerBytes >= 10_000 * (24 + '%3B'.length));
  assert.ok(limits.jsonValues > 10_000 && limits.parts > 100 && limits.formFields > 100);
  assert.equal(limits.boundaryLength, 70, 'RFC 2046');
});

test('limits that a sentence of a page names are those', () => {
  const connections = limits.maxConnections.toLocaleString('en');
  assert.match(page('guarantees'), new RegExp(`An answer beyond ${connections} open connections`));
  assert.match(page('guarantees'), new RegExp(`the shared ${limits.bodyBytesWithoutKey / 1024 / 1024} MB`));
  assert.match(page('operating'), new RegExp(`addresses of ${limits.headerBytes / 1024} KB`));
  assert.match(page('operating'), new RegExp(`bodies of ${limits.bodyBytes / 1024 / 1024} MB`));
});
