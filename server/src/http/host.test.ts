import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireHost } from './host.ts';

const refusal = (httpVersion: string, ...rawHeaders: string[]): string | undefined => {
  try {
    return requireHost({ httpVersion, rawHeaders }) as undefined;
  } catch (cause) {
    const { error, detail } = cause as { error: string; detail: string };
    assert.equal(error, 'MALFORMED_REQUEST');
    return detail;
  }
};

test('a request has one host, in any case and place; one of HTTP/1.0 may have none', () => {
  for (const host of ['a', 'a.example:80', '[::1]:7789', '']) {
    assert.equal(refusal('1.1', 'Accept', 'host', 'HOST', host), undefined, host);
    assert.equal(refusal('1.0', 'host', host, 'x', 'y'), undefined, host);
  }
  assert.equal(refusal('1.0'), undefined);
  assert.equal(refusal('1.1'), 'expected one Host header, got 0');
  assert.equal(refusal('1.1', 'x', 'Host'), 'expected one Host header, got 0');
  for (const version of ['1.0', '1.1'])
    assert.equal(refusal(version, 'Host', 'a', 'host', 'a'), 'expected one Host header, got 2');
  for (const version of ['0.9', '2.0']) {
    assert.equal(refusal(version, 'Host', 'a'), `expected HTTP/1.1 or HTTP/1.0, got HTTP/${version}`);
  }
});

test('a host is no address', () => {
  for (const host of ['a b', 'a/b', 'a?b', 'a#b', 'u@a', 'a\\b', 'a\tb'])
    assert.equal(refusal('1.1', 'Host', host), 'expected a host and a port in the Host header', host);
});
