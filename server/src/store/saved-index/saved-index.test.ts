import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFilesIn } from '../open-files.test.kit.ts';
import { PartitionFileWriter, type PartitionFile } from './partition-file.ts';
import { namedIn, SavedIndexes } from './saved-index.ts';
import type { Piece } from './section-file.ts';
import { verifySaved } from './verify-saved.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-saved-'));
after(() => rmSync(home, { recursive: true }));

const generation = (count: number, nonce = 'n') => ({ count, nonce });
const expected = { type: 'media-matching', identity: { folder: 'f', generation: generation(5) } } as const;
const words = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);
/** Of pictures 1, 2 and 3, whose records have the checksums 11, 12 and 13. */
const catalogue: Piece[] = [
  { name: 'numbers', bytes: words(1, 2, 3) },
  { name: 'checksums', bytes: words(11, 12, 13) },
];
const recordOf = (number: number) => ({ checksum: 10 + number });

let folders = 0;
function opened() {
  const data = join(home, String(++folders));
  mkdirSync(data);
  const indexes = new SavedIndexes(data);
  const names = (): string[] => readdirSync(join(data, 'index')).sort();
  return { data, indexes, names };
}

/** A partition with one part in a file of its own. */
async function partition(
  path: string,
  records?: string,
): Promise<PartitionFile & { records?: { path: string; end: number } }> {
  const writer = await PartitionFileWriter.create(path, []);
  await writer.write({ name: 'features', bytes: words(7) });
  await writer.write({ name: 'lists', bytes: words(8), part: '0-9' });
  const file = await writer.finish();
  if (records === undefined) return file;
  writeFileSync(records, 'records');
  return { ...file, records: { path: records, end: 7 } };
}

function writing(pieces: Iterable<Piece | undefined> = catalogue, records?: (shard: number) => string) {
  return {
    partitions: async (pathOf: (shard: number) => string) => [await partition(pathOf(0), records?.(0))],
    catalogue: () => pieces,
    pause: async () => {},
  };
}

test('a saved index is read as it was written; a later one replaces all its files, and those of no other application', async () => {
  const { indexes, names } = opened();
  assert.deepEqual([indexes.any, indexes.read(1, expected)], [false, undefined]);
  assert.equal(await indexes.write(1, expected, writing()), true);
  assert.equal(await indexes.write(12, expected, writing()), true);
  const first = names();
  assert.equal(first.length, 6);
  assert.equal(await indexes.write(1, expected, writing(catalogue, indexes.recordsOf(1))), true);
  const second = names();
  assert.equal(second.length, 7);
  assert.deepEqual(
    second.filter((name) => name.startsWith('12')),
    first.filter((name) => name.startsWith('12')),
  );
  assert.deepEqual(
    second.filter((name) => first.includes(name) && name.startsWith('1-')),
    [],
  );
  assert.ok(indexes.any);
  const saved = indexes.read(1, expected)!;
  assert.deepEqual(
    [...saved.catalogue].map(({ name }) => name),
    ['numbers', 'checksums'],
  );
  assert.equal(saved.partitions[0]!.records!.end, 7);
  assert.equal(readFileSync(saved.partitions[0]!.records!.path, 'utf8'), 'records');
  await indexes.remove(1);
  assert.deepEqual(
    names(),
    second.filter((name) => name.startsWith('12')),
  );
});

test('of a type that is not saved nothing is written; what fails leaves the earlier index and no other file', async () => {
  const { indexes, names } = opened();
  assert.equal(await indexes.write(1, expected, { ...writing(), partitions: async () => undefined }), false);
  assert.deepEqual(names(), []);
  await indexes.write(1, expected, writing());
  const before = names();
  const failing = function* (): Generator<Piece> {
    yield* catalogue;
    throw new Error('no catalogue');
  };
  await assert.rejects(indexes.write(1, expected, writing(failing())), /no catalogue/);
  assert.deepEqual(names(), before);
  assert.equal([...indexes.read(1, expected)!.catalogue].length, 2);
});

test('between two pieces of a catalogue others go on', async () => {
  const { indexes } = opened();
  const order: string[] = [];
  const pieces = function* (): Generator<Piece | undefined> {
    for (const piece of catalogue) {
      order.push(piece.name);
      yield piece;
      yield undefined;
    }
  };
  await indexes.write(1, expected, { ...writing(pieces()), pause: async () => void order.push('pause') });
  assert.deepEqual(order, ['numbers', 'pause', 'checksums', 'pause']);
});

test('an index of another application, type, network, folder or later moment is refused by name', async () => {
  const { data, indexes } = opened();
  await indexes.write(1, expected, writing());
  const { identity } = expected;
  const network = { name: 'n', digest: 'd' } as never;
  for (const [changed, what] of [
    [{ type: 'brand-monitoring' }, /the type brand-monitoring, found media-matching/],
    [{ network }, /the network/],
    [{ identity: { ...identity, folder: 'g' } }, /the folder g, found f/],
    [{ identity: { ...identity, generation: generation(4) } }, /generation 4 .* or an earlier one, found 5/],
    [{ identity: { ...identity, generation: generation(5, 'm') } }, /generation 5/],
  ] as const)
    assert.throws(() => indexes.read(1, { ...expected, ...(changed as object) }), what);
  indexes.read(1, { ...expected, identity: { ...identity, generation: generation(6, 'm') } })!.catalogue.return(0);
  writeFileSync(join(data, 'index/2.catalogue'), readFileSync(join(data, 'index/1.catalogue')));
  assert.throws(() => indexes.read(2, expected), /the application 2, found 1/);
  assert.equal(namedIn(join(data, 'index/1.catalogue'))!.length, 1);
  assert.equal(namedIn(join(data, 'index/3.catalogue')), undefined);
  assert.deepEqual(openFilesIn(data), []);
});

test('works alone come one after the other, also after one that failed', async () => {
  const { indexes } = opened();
  const order: number[] = [];
  const failed = indexes.alone(async () => {
    await new Promise((done) => setImmediate(done));
    order.push(1);
    throw new Error('first');
  });
  const next = indexes.alone(async () => order.push(2));
  await assert.rejects(failed, /first/);
  await next;
  assert.deepEqual(order, [1, 2]);
});

test('a sound saved index has no fault; a damaged file and a picture that differs from its record are named', async () => {
  const { data, indexes, names } = opened();
  assert.deepEqual(verifySaved(data, 1, recordOf), []);
  await indexes.write(1, expected, writing());
  assert.deepEqual(verifySaved(data, 1, recordOf), []);
  const deleted = (number: number) => (number === 2 ? undefined : recordOf(number));
  assert.deepEqual(verifySaved(data, 1, deleted), []);
  for (const other of [1, 2, 3]) {
    const faults = verifySaved(data, 1, (number) => ({ checksum: number === other ? 99 : 10 + number }));
    assert.deepEqual(
      faults.map(({ file }) => file),
      ['index/1.catalogue'],
    );
    assert.match(faults[0]!.what, new RegExp(`expected picture ${other} as in images.db`));
  }
  for (const name of names()) {
    const path = join(data, 'index', name);
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed[changed.length - 1]! ^= 1;
    writeFileSync(path, changed);
    const faults = verifySaved(data, 1, recordOf);
    assert.equal(faults.length, 1, name);
    writeFileSync(path, bytes);
  }
});
