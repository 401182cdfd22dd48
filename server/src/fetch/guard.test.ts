import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { errors } from '../errors.ts';
import { Fetcher } from './fetcher.ts';
import { HostPace } from './host-pace.ts';
import { isPublic } from './public-addresses.ts';
import { lookupOf } from './resolve.ts';

/** Names whose servers answer with addresses inside. */
const names: Record<string, readonly string[]> = {
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'one-inside.example': ['93.184.215.14', '192.168.1.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'six.example': ['fd00:ec2::254'],
  'local.example': ['fe80::1%eth0'],
  'none.example': [],
  'own.example': Object.values(networkInterfaces()).flatMap((each) => each!.map(({ address }) => address)),
};

const inside = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http://10.0.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  ...Object.keys(names).map((name) => `http://${name}/`),
];

const notFetched = [
  '',
  'picture.jpg',
  '//example.org/1.jpg',
  'file:///etc/passwd',
  'ftp://example.org/1.jpg',
  'gopher://example.org/',
  'data:image/png;base64,AA==',
  'javascript:alert(1)',
  'http://user@example.org/',
  'http://user:password@example.org/',
  'http://example.org@127.0.0.1/',
  'http://:secret@example.org/',
  'http://example.org:22/',
  'https://example.org:6379/',
  'http://exa mple.org/',
  'http://example.org/\r\nHost: inside',
  'ht\ntp://example.org/',
  `http://example.org/${'a'.repeat(3000)}`,
];

const refusal = (address: string, hosts: readonly string[] | null = ['*']): Promise<string> => {
  const resolve = async (host: string) => names[host] ?? [];
  const take = () => assert.fail('something was fetched');
  return new Fetcher(hosts, { resolve }).fetch(address, { maxBytes: 1, take }).then(() => assert.fail(address), String);
};

test('addresses that lead inside are refused, all with one message', async () => {
  assert.ok(inside.length >= 30);
  const message = `Error: ${errors.ADDRESS_REFUSED.message.replace('{}', 'the host has no public address')}`;
  for (const address of inside) assert.equal(await refusal(address), message, address);
});

test('what is no plain address of the web is refused before its name is resolved', async () => {
  for (const address of notFetched) {
    const message = await refusal(address);
    assert.match(message, /address is refused/, address);
    assert.doesNotMatch(message, /no public address/, address);
  }
});

test('only listed hosts and ports are allowed, whatever their spelling', async () => {
  const hosts = ['pictures.example', '*.shop.example:8443'];
  const isListed = async (address: string) => /no public address/.test(await refusal(address, hosts));
  for (const address of ['http://pictures.example/', 'https://PICTURES.example./', 'https://a.b.shop.example:8443/']) {
    assert.ok(await isListed(address), address);
  }
  const others = [
    'http://a.pictures.example/',
    'http://pictures.example:8443/',
    'http://shop.example:8443/',
    'https://a.shop.example/',
    'http://a-shop.example:8443/',
    'http://pictures.example.evil.example/',
  ];
  for (const address of others) assert.equal(await isListed(address), false, address);
  assert.match(await refusal('http://pictures.example/', null), /fetch_hosts switches it on/);
});

test('public addresses are allowed', () => {
  for (const address of ['93.184.215.14', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']) {
    assert.ok(isPublic(address), address);
  }
  assert.equal(isPublic('example.org'), false);
});

test('a lookup answers with the checked addresses, whatever host it is called for', () => {
  const answers: unknown[] = [];
  const note = (_error: unknown, ...answer: unknown[]) => answers.push(answer);
  const lookup = lookupOf(['1.1.1.1', '2606:4700::1111']);
  lookup('localhost', {}, note);
  lookup('localhost', { all: true }, note);
  const [first, second] = [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ];
  assert.deepEqual(answers, [['1.1.1.1', 4], [[first, second]]]);
});

test('requests to one host wait for each other after the first few, and hosts do not wait for each other', () => {
  const pace = new HostPace(10, 3);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => pace.next('a', 1000)),
    [0, 0, 0, 100, 200],
  );
  assert.equal(pace.next('b', 1000), 0);
  assert.equal(pace.next('a', 1600), 0);
});
