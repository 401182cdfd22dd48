import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusterAddress, unencryptedPassword } from './address.ts';

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
