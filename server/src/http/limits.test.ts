import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { families } from '@sosia/contract';
import { fetchLimits } from '../fetch/fetcher.ts';
import { limits } from './limits.ts';

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
const deployed = (file: string): string => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');

test('the limits agree with each other', () => {
  assert.ok(limits.headersTimeout <= limits.requestTimeout);
  assert.ok(limits.requestTimeout <= limits.connectionTimeout);
  assert.ok(limits.keepAliveTimeout < limits.connectionTimeout);
  // who looks each second sees that a service stops before its ports close
  assert.ok(limits.stopGrace >= 1_000 && limits.stopGrace + limits.stopLinger < limits.stopTimeout / 2);
  // an answer to a client that still writes is sent, and taken, within the time of a stop
  assert.ok(limits.discardTimeout < limits.writeTimeout && limits.writeTimeout <= limits.stopTimeout);
  // a buffer of half the size is copied into the one for the whole body
  assert.ok(2 * limits.bodyBytes <= limits.bodyBytesWithoutKey - limits.firstBytesWithoutKey);
  assert.ok(limits.usualHeaderBytes * limits.maxConnections <= limits.headerBytesInFlight);
  assert.ok(limits.bodyBytesWithoutKey <= limits.bodyBytesInFlight / 4);
  // 200 connections may begin bodies at a time, each with one read of its socket
  assert.ok(200 * 65_536 <= limits.firstBytesWithoutKey);
});

test('the largest requests of the interface fit: a picture of 20 MB, 10,000 ids, 100 keywords', () => {
  const MB = 1024 * 1024;
  const needed: [limit: keyof typeof limits, least: number][] = [
    ['bodyBytes', 20 * MB + 100 * 255],
    ['jsonBytes', (6 * MB * 4) / 3],
    ['textBytes', 10_000 * 256],
    ['headerBytes', 10_000 * (24 + '%3B'.length)],
    ['jsonValues', 10_100],
    ['parts', 110],
  ];
  for (const [limit, least] of needed)
    assert.ok(limits[limit] >= least && limits[limit] < 1.5 * least, `${limit}: what is not needed is refused early`);
  assert.equal(limits.boundaryLength, 70, 'RFC 2046');
});

test('each limit is the one that clients and operators know', () => {
  const [KB, MB] = [1024, 1024 * 1024];
  assert.deepEqual(limits, {
    ...{ requestTimeout: 30_000, headersTimeout: 5_000, connectionTimeout: 35_000, keepAliveTimeout: 10_000 },
    ...{ connectionsCheckingInterval: 1_000, answerTimeout: 15_000, writeTimeout: 10_000, discardTimeout: 1_000 },
    ...{ slowWindow: 5_000, slowBytes: 4_096, maxConnections: 8_192, maxRequestsPerSocket: 1_000 },
    ...{ headerBytes: 320 * KB, headerBytesInFlight: 32 * MB, usualHeaderBytes: 4 * KB },
    ...{ bodyBytes: 21 * MB, jsonBytes: 8 * MB, jsonValues: 11_000, textBytes: 3 * MB, formFields: 1_000 },
    ...{ bodyBytesInFlight: 256 * MB, bodyBytesWithoutKey: 64 * MB, firstBytesWithoutKey: 16 * MB },
    ...{ fetchedBytes: 20 * MB, fetchesInFlight: 32, operationsInFlight: 512, streams: 1_024 },
    ...{ parts: 128, partHeaderBytes: 16 * KB, boundaryLength: 70 },
    ...{ wrongKeysAtOnce: 1_000, wrongKeysPerSecond: 50, stopGrace: 1_000, stopLinger: 250, stopTimeout: 10_000 },
  });
});

test('limits that a sentence of a page names are those', () => {
  const connections = limits.maxConnections.toLocaleString('en');
  assert.match(page('guarantees'), new RegExp(`An answer beyond ${connections} open connections`));
  assert.match(page('guarantees'), new RegExp(`the shared ${limits.bodyBytesWithoutKey / 1024 / 1024} MB`));
  assert.match(page('operating'), new RegExp(`addresses of ${limits.headerBytes / 1024} KB`));
  assert.match(page('operating'), new RegExp(`bodies of ${limits.bodyBytes / 1024 / 1024} MB`));
});

test('the examples of proxies pass on the operations of all families', () => {
  for (const file of ['nginx.conf', 'Caddyfile']) {
    const text = deployed(file);
    const passed = [...text.matchAll(/\^\/\(*api\/v2\\\.0\|api\/v2\|v2\)\/\(([^)]*)\)/g)].flatMap(([, names]) =>
      names!.split('|'),
    );
    assert.deepEqual(passed.sort(), [...families, 'ltumodify', 'ltuquery'].sort(), file);
  }
});

test('no log of the examples of proxies has query strings, those of failed requests neither', () => {
  for (const file of ['nginx.conf', 'cluster/nginx.conf']) {
    const text = deployed(file);
    assert.match(text, /^ *access_log (off|\S+ sosia);$/m, file);
    assert.doesNotMatch(
      /log_format sosia '(.*)';/.exec(text)?.[1] ?? '',
      /\$(request|request_uri|args|query_string)\b/,
    );
    assert.match(text, /^ *error_log \S+ emerg;$/m, `${file}: errors about a request name its whole address`);
  }
  // the options of all sites come first; a filter of a site holds for its access log alone
  const [forAllSites] = deployed('Caddyfile').split(/^\S+ \{$/m);
  assert.match(forAllSites!, /request>uri regexp "\\\?\.\*" ""/);
});

test('the examples of proxies wait longer than the longest answer, that to a comparison of two addresses', () => {
  for (const file of ['nginx.conf', 'cluster/nginx.conf']) {
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(deployed(file))!;
    assert.ok(1000 * Number(seconds) > limits.answerTimeout + 2 * fetchLimits.total, file);
  }
});
