import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterAddress, withoutPassword } from './address.ts';

test('hosts, user, password and prefix are read from one text', () => {
  const { hosts, prefix, authorization } = clusterAddress('https://so%3Asia:p%40ss@a:9200/mine, https://b:9201/mine/');
  assert.deepEqual(
    hosts.map(({ href }) => href),
    ['https://a:9200/', 'https://b:9201/'],
  );
  assert.equal(prefix, 'mine');
  assert.equal(authorization, `Basic ${Buffer.from('so:sia:p@ss').toString('base64')}`);
  assert.deepEqual(clusterAddress('http://127.0.0.1:9200'), {
    hosts: [new URL('http://127.0.0.1:9200')],
    prefix: 'sosia',
  });
});

test('what is no address is refused, and no message has a password', () => {
  const refused = (text: string, message: RegExp): void => {
    assert.throws(
      () => clusterAddress(text),
      (cause: Error) => message.test(cause.message) && !cause.message.includes('secret'),
    );
  };
  refused('ftp://u:secret@a', /^expected http.*got ftp:\/\/a$/);
  refused('localhost:9200', /^expected http/);
  refused('http://a/x?y=1', /^expected http/);
  refused('http://a/one,http://u:secret@b/two', /one prefix/);
  refused('http://a/UPPER', /prefix of a-z/);
  assert.equal(withoutPassword('https://u:secret@a,https://u:secret@b'), 'https://a,https://b');
  assert.throws(() => clusterAddress('https://a', '/no/such/file'), /ENOENT/);
});
