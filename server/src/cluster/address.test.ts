import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusterAddress, clusterFiles, unencryptedPassword } from './address.ts';

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
  refused('ftp://u:secret@a', /^expected http.*as address 1 of 1;/);
  refused('localhost:9200', /^expected http/);
  refused('http://a/x?y=1', /^expected http/);
  refused('http://a/one,http://u:secret@b/two', /one prefix/);
  refused('http://a/UPPER', /prefix of a-z/);
  refused('http://a/one/two', /prefix of a-z/);
  assert.equal(clusterAddress(`http://a/${'p'.repeat(64)}`).prefix.length, 64);
  refused(`http://a/${'p'.repeat(65)}`, /at most 64 characters/);
  refused('https://u:12/secret@a', /%2F for \//);
  refused('https://u:secret/secret@a', /%2F for \//);
  refused('https://u:12,secret@a', /address 2 of 2/);
  refused('https://u:100%secret@a', /%25 for %/);
  refused('u:secret@a:9200', /^expected http/);
  assert.throws(() => clusterAddress('https://a', { ca: '/no/such/file' }), /ENOENT/);
});

test('no form of an address shows a part of its password, in a message, a host or a prefix', () => {
  // the letters occur neither in messages nor in the address beside the password
  const piece = fc.constantFrom(...Array.from('QJ78/\\@:#?%,&=+ []'), '%40', '%2F', '//', '://', '12', '80');
  const password = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  const form = fc.constantFrom<(password: string) => string>(
    (each) => `https://u:${each}@a.b:9200`,
    (each) => `http://u:${each}@a.b/mine,https://a.c:9200`,
    (each) => `https://a.c:9200/mine,https://u:${each}@a.b:9200/mine`,
    (each) => `https://${each}@a.b`,
    (each) => `https:/u:${each}@a.b`,
    (each) => `u:${each}@a.b:9200`,
    (each) => `ftp://u:${each}@a.b`,
  );
  const shown = (text: string): string => {
    try {
      const address = clusterAddress(text);
      return [...address.hosts.map(({ host }) => host), address.prefix, unencryptedPassword(address)].join(' ');
    } catch (cause) {
      return (cause as Error).message;
    }
  };
  fc.assert(
    fc.property(form, password, (of, each) => {
      const besides = shown(of(each)).replaceAll(/9200|address \d+ of \d+/g, '');
      assert.doesNotMatch(besides, /[QJ78]/i, of(each));
    }),
    { numRuns: 5000 },
  );
});

test('a password that travels without encryption is warned of', () => {
  assert.match(unencryptedPassword(clusterAddress('https://a,http://u:secret@b'))!, /sent to b without encryption/);
  assert.equal(unencryptedPassword(clusterAddress('https://u:secret@a')), undefined);
  assert.equal(unencryptedPassword(clusterAddress('http://a')), undefined);
});

test('files give certificates, keys and the password, which are read again; each in its place, and none without the other', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-address-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [certificate, key] = ['CERTIFICATE', 'EC PRIVATE KEY'].map((what) => `-----BEGIN ${what}-----\n`);
  const [ca, cert, keyFile] = [file('ca', certificate!), file('cert', certificate!), file('key', key!)];
  const password = file('password', 'first\n');
  const at = clusterAddress('https://user@a', { ca, cert, key: keyFile, password });
  const basic = (word: string) => `Basic ${Buffer.from(`user:${word}`).toString('base64')}`;
  assert.deepEqual([at.ca, at.cert, at.key, at.authorization], [certificate, certificate, key, basic('first')]);
  for (const [text, word] of [
    ['second\r\n', 'second'],
    ['third', 'third'],
    ['a\n\n', 'a\n'],
  ] as const) {
    file('password', text);
    assert.equal(at.readAgain!().authorization, basic(word));
  }
  assert.equal(clusterAddress('https://user:p@a').readAgain, undefined);
  for (const [address, files, message] of [
    ['http://a', { ca }, /^expected hosts with https:\/\/ where authorities are given$/],
    ['http://a', { cert, key: keyFile }, /^expected hosts with https:\/\/ where a certificate is given$/],
    ['https://a', { cert }, /^expected a certificate and its key, got one without the other$/],
    ['https://a', { key: keyFile }, /one without the other/],
    ['https://a', { password }, /^expected a user without a password/],
    ['https://user:p@a', { password }, /^expected a user without a password/],
    ['https://a', { ca: keyFile }, /^expected certificates as PEM in .*key$/],
    ['https://a', { cert, key: cert }, /^expected a private key as PEM in .*cert$/],
  ] as const)
    assert.throws(() => clusterAddress(address, files), { message });
  assert.deepEqual(clusterAddress('http://a,https://b', { ca }).hosts.length, 2);
  const settings = { cluster_ca: 'a', cluster_cert: 'b', cluster_key: 'c', cluster_password: 'd' };
  assert.deepEqual(clusterFiles(settings), { ca: 'a', cert: 'b', key: 'c', password: 'd' });
});
