import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EMBEDDING_LENGTH, networkSpecOf, openNetwork, writeNetwork } from '@sosia/engine';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { errors } from '../errors.ts';
import { openDatabase } from './database.ts';
import { applicationSchema } from './schema.ts';
import { storedNetwork } from './profile-store.ts';
import { openApplicationStore } from './application-store.ts';
import type { Damage, ProfileRecord } from './store.ts';
import { verify } from './verify.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-profiles-'));
after(() => rmSync(home, { recursive: true }));

const record = (name: string): ProfileRecord => ({
  profile: { name, weights: Float32Array.from({ length: EMBEDDING_LENGTH }, (_, k) => k / 7), bias: -0.5 },
  report: null,
  mistakes: Uint8Array.of(1, 2, 3),
});

test('a profile is complete after a restart, and other processes see it at once', () => {
  const folder = join(home, 'kept');
  const [one, other] = [openApplicationStore(folder), openApplicationStore(folder)];
  const before = other.revision();
  one.profiles.add(record('first'));
  assert.notEqual(other.revision(), before);
  assert.deepEqual(other.profiles.find('first'), record('first'));
  one.close();
  other.close();
  const again = openApplicationStore(folder);
  assert.deepEqual(again.profiles.list(), [record('first')]);
  again.close();
});

test('a network is stored beside the other profiles, and is recognized without being read', () => {
  const store = openApplicationStore(join(home, 'networks'));
  const spec = networkSpecOf({ labels: ['indoor', 'outdoor'], positive: ['outdoor'] });
  const network = { name: 'outdoor', spec, model: Uint8Array.of(8, 8, 0, 255) };
  store.profiles.add(record('first'));
  store.profiles.add({ profile: network, report: null, mistakes: new Uint8Array() });
  assert.deepEqual(store.profiles.find('outdoor')!.profile, network);
  const [first, outdoor] = store.profiles.names();
  assert.deepEqual([first!.name, first!.mark, outdoor!.name], ['first', undefined, 'outdoor']);
  assert.throws(() => store.profiles.add({ profile: network, report: null, mistakes: new Uint8Array() }), {
    code: errors.PROFILE_EXISTS.code,
  });
  assert.equal(outdoor!.bytes, writeNetwork(network).length);
  assert.equal(outdoor!.mark, `outdoor ${crc32c(writeNetwork(network).subarray(0, -4))}`, 'the same in every version');
  assert.deepEqual(openNetwork(storedNetwork(join(home, 'networks'), 'outdoor')), network);
  assert.throws(() => storedNetwork(join(home, 'networks'), 'nobody'), { code: errors.UNKNOWN_PROFILE.code });
  store.profiles.delete('outdoor');
  store.profiles.add({ profile: { ...network, model: Uint8Array.of(1) }, report: null, mistakes: new Uint8Array() });
  assert.notEqual(store.profiles.names()[1]!.mark, outdoor!.mark);
  store.close();
});

test('a name is used once, and a missing profile cannot be deleted', () => {
  const store = openApplicationStore(join(home, 'names'));
  store.profiles.add(record('a'));
  assert.throws(() => store.profiles.add(record('a')), { code: errors.PROFILE_EXISTS.code });
  assert.throws(() => store.profiles.add(record('Not a name')), { code: errors.BAD_PROFILE.code });
  store.profiles.delete('a');
  assert.throws(() => store.profiles.delete('a'), { code: errors.UNKNOWN_PROFILE.code });
  assert.deepEqual(store.profiles.list(), []);
  store.close();
});

test('profiles are listed by name, trained ones before networks, and other rows are found by name', () => {
  const folder = join(home, 'sorted');
  const store = openApplicationStore(folder, ({ what }) => assert.fail(what));
  const spec = networkSpecOf({ labels: ['a'], positive: ['a'] });
  const network = (name: string): ProfileRecord => ({
    ...{ profile: { name, spec, model: Uint8Array.of(1) }, report: null, mistakes: new Uint8Array() },
  });
  assert.deepEqual([store.profiles.names(), store.profiles.find('a')], [[], undefined]);
  for (const name of ['m', 'c', 'x', 'b']) store.profiles.add(record(name));
  for (const name of ['z', 'd', 'n', 'a']) store.profiles.add(network(name));
  const sorted = ['b', 'c', 'm', 'x', 'a', 'd', 'n', 'z'];
  assert.deepEqual(
    store.profiles.names().map(({ name }) => name),
    sorted,
  );
  assert.deepEqual(
    store.profiles.list().map(({ profile }) => profile.name),
    sorted,
  );
  for (const name of sorted) assert.equal(store.profiles.find(name)!.profile.name, name);
  for (const taken of [record('n'), network('c')])
    assert.throws(() => store.profiles.add(taken), { code: errors.PROFILE_EXISTS.code });
  store.close();
  const database = openDatabase(join(folder, 'applications.db'), applicationSchema);
  database.exec("UPDATE networks SET name = 'renamed' WHERE name = 'd'");
  database.close();
  const damages: Damage[] = [];
  const again = openApplicationStore(folder, (damage) => damages.push(damage));
  for (let i = 0; i < 2; i++) assert.equal(again.profiles.list().length, sorted.length - 1);
  assert.deepEqual(
    damages.map(({ what }) => what),
    ['profile renamed: expected the name renamed, found d'],
  );
  again.close();
});

test('a damaged profile is reported and left out; the others stay', () => {
  const folder = join(home, 'damaged');
  const damages: Damage[] = [];
  const store = openApplicationStore(folder, (damage) => damages.push(damage));
  store.profiles.add(record('good'));
  store.profiles.add(record('harmed'));
  const database = openDatabase(join(folder, 'applications.db'), applicationSchema);
  database.exec("UPDATE profiles SET mistakes = x'00' WHERE name = 'harmed'");
  database.close();
  assert.deepEqual(store.profiles.list(), [record('good')]);
  assert.match(damages[0]!.what, /profile harmed: expected the checksum/);
  assert.deepEqual(verify(folder).damages, damages);
  store.close();
});

test('profiles whose names cannot be read are said to be missing, once', () => {
  const folder = join(home, 'unreadable');
  const first = openApplicationStore(folder);
  for (let i = 0; i < 9; i++) first.profiles.add(record(`p${i}`));
  first.close();
  const path = join(folder, 'applications.db');
  const content = readFileSync(path);
  const pages = Array.from({ length: content.length / 4096 }, (_, i) => content.subarray(4096 * i, 4096 * (i + 1)));
  pages.find((page) => page[0] === 13 && page.includes('p4'))!.fill(0xff); // a leaf of the table
  writeFileSync(path, content);
  const damages: string[] = [];
  const store = openApplicationStore(folder, ({ what }) => damages.push(what));
  const before = damages.length;
  const names = store.profiles.names().map(({ name }) => name);
  assert.ok(names.length < 9 && !names.includes('p4'), names.join());
  store.profiles.names();
  assert.deepEqual(damages.slice(before), ['some profiles cannot be read']);
  for (const name of names) assert.deepEqual(store.profiles.find(name), record(name));
  assert.equal(store.profiles.find('p4'), undefined);
  store.close();
});
