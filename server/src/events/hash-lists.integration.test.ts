import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Family } from '@sosia/contract';
import { goldenFolder, samplesFolder } from '@sosia/fixtures';
import sharp from 'sharp';
import { createApplication } from '../applications/create.ts';
import { errors, type ErrorName } from '../errors.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn, type Values } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';

/** `python3 -m venv node_modules/.cache/pdq && node_modules/.cache/pdq/bin/pip install threatexchange` installs the peer. */
const python = fileURLToPath(new URL('../../../node_modules/.cache/pdq/bin/python', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'sosia-hashes-'));
const data = join(home, 'data');
const types = [
  'media-matching',
  'brand-monitoring',
  'image-similarity',
  'color-similarity',
  'mobile-matching',
  'filter',
];
const names = ['exchange', 'searched', 'found', 'none', 'sources', 'full', 'peer'];
const keys: Record<string, string> = {};
let server: RunningServer;
let administratorKey: string;

const start = () => startServerOn(data, { source_folders: home });
before(async () => {
  server = await start();
  administratorKey = server.administratorKey!;
  keys['administrator'] = administratorKey;
  const store = openApplicationStore(data);
  for (const type of types) keys[type] = createApplication(store, { type: type as 'filter', name: type }).key;
  for (const name of names) keys[name] = createApplication(store, { type: 'media-matching', name }).key;
  store.close();
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

/** Fails with the message of a refusal. */
async function ask(name: string, family: Family, operation: string, values: Values = {}): Promise<any> {
  const send = () => askServer(server, family, operation, { application_key: keys[name]!, ...values });
  const busy: number[] = [errors.OVERLOADED.code, errors.LOADING.code];
  let answer = await send();
  while (busy.includes(answer.status.code)) answer = await send();
  assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
  return answer;
}

async function refusal(name: string, operation: string, values: Values): Promise<ErrorName | undefined> {
  const { status } = await askServer(server, 'review', operation, { application_key: keys[name]!, ...values });
  return (Object.keys(errors) as ErrorName[]).find((each) => errors[each].code === status.code);
}

const importTo = (name: string, list_id: string, text: string, values: Values = {}) =>
  ask(name, 'review', 'ImportHashes', { list_id, hashes: Buffer.from(text), ...values });

const add = (name: string, image_id: string, image_content: Uint8Array) =>
  ask(name, 'enginemodify', 'AddImage', { image_id, image_content });

async function eventsOf(name: string): Promise<any[]> {
  return (await ask(name, 'review', 'ListEvents', { nb_results: 1000 })).events;
}

async function pdqOf(image_content: Uint8Array): Promise<string> {
  return (await ask('none', 'enginequery', 'GetPdq', { image_content })).pdq;
}

/** The hash with this many other bits, from the first one on. */
function changed(hash: string, bits: number, first = 0): string {
  const bytes = Buffer.from(hash, 'hex');
  for (let bit = first; bit < first + bits; bit++) bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('hex');
}

/** Hashes by chance, the same in each run. */
function hashes(count: number): string[] {
  let state = 7;
  const next = (): number => (state = (state * 48271) % 2147483647) & 0xff;
  const bytes = Buffer.from(Array.from({ length: 32 * count }, next));
  return Array.from({ length: count }, (_, i) => bytes.toString('hex', 32 * i, 32 * i + 32));
}

async function exported(name: string, list_id: string, format: string): Promise<any[]> {
  const pages: any[] = [];
  for (let start = 0; ; start += 10_000) {
    const values = { list_id, format, starting_index: start, nb_results: 10_000 };
    const page = await ask(name, 'review', 'ExportHashes', values);
    pages.push(page);
    if (page.nb_results_found <= start + 10_000) return pages;
  }
}
const textOf = (pages: any[]): string => pages.map(({ text }) => text).join('');

test('a list of 100,000 hashes goes in and out unchanged in each format, also after a restart', async () => {
  const all = hashes(100_000);
  const text = all.map((hash) => `${hash}\n`).join('');
  const rows = all.map((hash, i) => `${hash},${i % 3 ? i % 101 : ''},${i % 5 ? `"Bild ${i}, ä"` : ''}\n`);
  const csv = `hash,quality,label\n${rows.join('')}`;
  const { hash_list, nb_skipped } = await importTo('exchange', 'text', text, { distance: 20 });
  assert.deepEqual([hash_list.id, hash_list.nb_hashes, hash_list.distance, nb_skipped], ['text', 100_000, 20, 0]);
  await importTo('exchange', 'csv', csv);
  const entries = (await exported('exchange', 'csv', 'json')).flatMap((page) => page.data);
  await importTo('exchange', 'json', JSON.stringify({ data: entries }));
  await server.close();
  server = await start();
  assert.equal(textOf(await exported('exchange', 'text', 'text')), text);
  assert.equal(textOf(await exported('exchange', 'csv', 'csv')), csv);
  assert.equal(textOf(await exported('exchange', 'json', 'csv')), csv);
  const lists = (await ask('exchange', 'review', 'ListHashLists')).hash_lists;
  assert.deepEqual(
    lists.map(({ id, nb_hashes, distance, who }: any) => [id, nb_hashes, distance, who]),
    [
      ['csv', 100_000, 31, 'first'],
      ['json', 100_000, 31, 'first'],
      ['text', 100_000, 20, 'first'],
    ],
  );
  assert.equal((await ask('exchange', 'review', 'DeleteHashList', { list_id: 'csv' })).nb_hash_lists, 2);
  assert.equal(await refusal('exchange', 'ExportHashes', { list_id: 'csv' }), 'UNKNOWN_HASH_LIST');
});

test('an answer of ExportHashes can be imported', async () => {
  const [hash] = hashes(1);
  await importTo('none', 'own', `${hash},7,name\n`);
  const answer = await ask('none', 'review', 'ExportHashes', { list_id: 'own' });
  await importTo('none', 'again', JSON.stringify(answer));
  assert.deepEqual(await ask('none', 'review', 'ExportHashes', { list_id: 'again' }), answer);
  for (const list_id of ['own', 'again']) await ask('none', 'review', 'DeleteHashList', { list_id });
});

test('a search by hash finds every near one, the nearest first, in one list or in all', async () => {
  const others = hashes(5000);
  const query = others[17]!;
  const near = [31, 3, 32, 0].map((bits) => changed(query, bits, bits));
  await importTo('searched', 'b', [...others, ...near].join('\n'));
  await importTo('searched', 'a', `${changed(query, 3)},88,"three"\n${changed(query, 200)}\n`);
  const search = (values: Values) => ask('searched', 'review', 'SearchHashes', { pdq: query.toUpperCase(), ...values });
  const shown = ({ matches }: any) =>
    matches.map(({ list_id, entry, distance }: any) => `${list_id} ${entry} ${distance}`);
  const found = await search({});
  assert.deepEqual(shown(found), ['b 17 0', 'b 5003 0', 'a 0 3', 'b 5001 3', 'b 5000 31']);
  assert.deepEqual([found.pdq, found.nb_results_found], [query, 5]);
  assert.deepEqual(found.matches[2], {
    ...{ list_id: 'a', entry: 0, distance: 3 },
    ...{ pdq: changed(query, 3), quality: 88, label: 'three' },
  });
  assert.deepEqual(shown(await search({ list_id: 'a', distance: 128 })), ['a 0 3']);
  assert.deepEqual(shown(await search({ distance: 32 })).at(-1), 'b 5002 32');
  assert.deepEqual(shown(await search({ distance: 0 })), ['b 17 0', 'b 5003 0']);
  const first = await search({ nb_results: 1 });
  assert.deepEqual([shown(first), first.nb_results_found], [['b 17 0'], 5]);
});

test('a search by a picture uses its hash, and one by a reference picture that of its thumbnail', async () => {
  const lines = readFileSync(join(goldenFolder, 'pdq/pdqhash-0.2.8.csv'), 'utf8').trim().split('\n');
  const photographs = lines.filter((line) => line.includes('samples/')).slice(0, 12);
  await importTo('searched', 'published', lines.join('\n'));
  let most = 0;
  for (const line of photographs) {
    const [, , path] = line.split(',') as [string, string, string];
    const image_content = readFileSync(join(samplesFolder, path.replace('samples/', '')));
    await add('searched', path, image_content);
    for (const query of [{ image_content }, { image_id: path }]) {
      const values = { ...query, list_id: 'published' };
      const [nearest] = (await ask('searched', 'review', 'SearchHashes', values)).matches;
      assert.equal(nearest.label, path);
      if ('image_content' in query) assert.ok(nearest.distance <= 4, `${path}: ${nearest.distance}`);
      else most = Math.max(most, nearest.distance);
    }
  }
  assert.ok(most <= 16, `a thumbnail differs in ${most} bits`);
});

test('an added picture that is near is an event of each list, committed with it', async () => {
  const app = 'found';
  const picture = await photograph(4);
  const copy = await sharp(picture).resize(400).jpeg({ quality: 70 }).toBuffer();
  const hash = await pdqOf(copy);
  await add(app, 'before.jpg', picture);
  await importTo(app, 'one', `${changed(hash, 20)}\n${changed(hash, 5)},40,five\n${changed(hash, 90)}\n`);
  await importTo(app, 'strict', `${changed(hash, 5)}\n`, { distance: 4 });
  await importTo(app, 'two', `${changed(hash, 31)}\n`);
  await add(app, 'other.jpg', await photograph(9));
  await add(app, 'a.jpg', copy);
  await server.close();
  server = await start();
  await add(app, 'b.jpg', copy);
  const found = await eventsOf(app);
  assert.deepEqual(
    found.map(({ id, search_id, image_id, watched, count, repeats }) => [
      id,
      search_id,
      image_id,
      watched,
      count,
      repeats,
    ]),
    [
      [1, 'one', 'a.jpg', `pdq:${changed(hash, 5)}`, 2, ['b.jpg']],
      [2, 'two', 'a.jpg', `pdq:${changed(hash, 31)}`, 2, ['b.jpg']],
    ],
  );
  assert.deepEqual(found[0].hash, {
    ...{ list_id: 'one', entry: 1, pdq: changed(hash, 5), quality: 40, label: 'five', distance: 5, nb_near: 2 },
  });
  assert.deepEqual([found[0].similarity, found[0].decision, found[0].result_info], [98, '', '']);

  await ask(app, 'review', 'DeleteHashList', { list_id: 'two' });
  await importTo(app, 'one', `${changed(hash, 60)}\n`);
  await add(app, 'c.jpg', await sharp(copy).jpeg({ quality: 60 }).toBuffer());
  assert.equal((await eventsOf(app)).length, 2);

  const reviewed = await ask(app, 'review', 'ReviewEvents', { search_id: 'one', pictures: 1 });
  assert.ok(reviewed.events[0].pictures.found.thumbnail.length > 100);
  assert.deepEqual(reviewed.events[0].pictures.watched, {});
  await ask(app, 'review', 'JudgeEvent', { event_id: 1, verdict: 'different' });
  const [judged] = (await ask(app, 'review', 'ReviewEvents', { search_id: 'one', state: 'different' })).events;
  assert.equal(judged.image_id, 'a.jpg');
});

test('an added picture is hashed where it is described, by one task of a child, also without thumbnails', async () => {
  const picture = await photograph(12);
  const hash = await pdqOf(picture);
  const tasks = async (): Promise<number> => {
    await pause(1000); // figures serve for a second
    const text = await (await fetch(`http://127.0.0.1:${server.modifyPort}/metrics`)).text();
    const counts = [...text.matchAll(/^sosia_decode_duration_seconds_count\{.*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  for (const thumbnails of [1, 0]) {
    const name = `once ${thumbnails}`;
    const created = { name, type: 'media-matching', thumbnails };
    keys[name] = (await ask('administrator', 'administration', 'CreateApplication', created)).secret;
    await importTo(name, 'l', `${hash}\n`);
    const before = await tasks();
    await add(name, 'a.jpg', picture);
    assert.equal(await tasks(), before + 1);
    const [event] = await eventsOf(name);
    assert.deepEqual([event.image_id, event.hash.distance], ['a.jpg', 0]);
  }
});

test('each type with saved searches has lists; the others refuse them', async () => {
  const picture = await photograph(6);
  const list = { list_id: 'l', hashes: Buffer.from(`${await pdqOf(picture)}\n`) };
  for (const type of types.slice(0, 4)) {
    await ask(type, 'review', 'ImportHashes', list);
    await add(type, 'a', picture);
    assert.deepEqual(
      (await eventsOf(type)).map(({ hash }) => hash.distance),
      [0],
      type,
    );
  }
  for (const type of types.slice(4))
    for (const [operation, values] of Object.entries({ ImportHashes: list, ListHashLists: {}, ExportHashes: list }))
      assert.equal(await refusal(type, operation, values), 'DOES_NOT_APPLY', type);
});

test('pictures of a source are compared, and those without lists or of an uncertain hash are not', async () => {
  const picture = await photograph(8);
  const plain = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    .composite([{ input: await sharp(picture).resize(40).toBuffer(), left: 9, top: 9 }])
    .png()
    .toBuffer();
  await importTo('sources', 'l', `${await pdqOf(picture)}\n${await pdqOf(plain)}\n`);
  await add('sources', 'plain.png', plain);
  assert.deepEqual(await eventsOf('sources'), []);
  assert.equal((await ask('sources', 'review', 'SearchHashes', { image_content: plain })).matches[0].distance, 0);
  const path = join(home, 'followed');
  mkdirSync(path);
  writeFileSync(join(path, 'a.jpg'), picture);
  const source = { application: 'sources', name: 's', kind: 'folder', path };
  const made = await askServer(server, 'administration', 'CreateSource', {
    application_key: administratorKey,
    ...source,
  });
  assert.equal(made.status.code, 0, made.status.message);
  let events: any[] = [];
  while (events.length === 0) events = await pause(50).then(() => eventsOf('sources'));
  assert.deepEqual([events[0].hash.entry, events[0].hash.distance], [0, 0]);
});

test('what is wrong is refused by name, and the list of before stays', async () => {
  const [hash] = hashes(1);
  await importTo('full', 'l', `${hash}\n`);
  for (const wrong of [`${hash}0\n`, `${hash}\nxyz\n`, `${hash},101\n`, '{"data":7}', `${`${hash}\n`.repeat(1000)}x`])
    assert.equal(await refusal('full', 'ImportHashes', { list_id: 'l', hashes: Buffer.from(wrong) }), 'BAD_HASHES');
  for (const length of [1, 60_000]) {
    const hashes = Buffer.alloc(length, 0xff);
    assert.equal(await refusal('full', 'ImportHashes', { list_id: 'l', hashes }), 'BAD_TEXT');
  }
  assert.equal(await refusal('full', 'ImportHashes', { list_id: 'l', hashes: Buffer.alloc(0) }), 'MISSING_PARAMETER');
  assert.equal(await refusal('full', 'ImportHashes', { list_id: 'l' }), 'MISSING_PARAMETER');
  const distance = { list_id: 'l', hashes: Buffer.from(hash!), distance: 129 };
  assert.equal(await refusal('full', 'ImportHashes', distance), 'BAD_PARAMETER');
  assert.equal(await refusal('full', 'SearchHashes', { pdq: hash!.slice(1) }), 'BAD_HASHES');
  assert.equal(await refusal('full', 'SearchHashes', {}), 'BAD_PARAMETER');
  assert.equal(await refusal('full', 'SearchHashes', { pdq: hash!, image_id: 'a' }), 'BAD_PARAMETER');
  assert.equal(await refusal('full', 'SearchHashes', { image_id: 'a' }), 'UNKNOWN_IMAGE');
  assert.equal(await refusal('full', 'SearchHashes', { pdq: hash!, list_id: 'm' }), 'UNKNOWN_HASH_LIST');
  assert.equal(await refusal('full', 'DeleteHashList', { list_id: 'm' }), 'UNKNOWN_HASH_LIST');
  for (let i = 1; i < 100; i++) await importTo('full', `${i}`, hash!);
  assert.equal(await refusal('full', 'ImportHashes', { list_id: 'm', hashes: Buffer.from(hash!) }), 'HASH_LISTS_FULL');
  await importTo('full', 'l', `${hash}\n`);
  assert.equal((await ask('full', 'review', 'ExportHashes', { list_id: 'l', format: 'text' })).text, `${hash}\n`);
  assert.equal((await ask('none', 'review', 'ListHashLists')).nb_results_found, 0);
});

const peer = `
import csv, json, sys
from threatexchange.exchanges.impl.file_api import LocalFileSignalExchangeAPI, FileCollaborationConfig
from threatexchange.signal_type.pdq.signal import PdqSignal
text, table, query = sys.argv[1:]
collab = FileCollaborationConfig(name='sosia', filename=text, signal_type='pdq', api='local_file')
api = LocalFileSignalExchangeAPI.for_collab(collab)
signals = [signal for delta in api.fetch_iter([PdqSignal], None) for (_, signal) in delta.updates]
assert all(PdqSignal.validate_signal_str(each) == each for each in signals)
rows = list(csv.DictReader(open(table, newline='')))
index = PdqSignal.get_index_cls().build([(row['hash'], row) for row in rows])
found = [[match.metadata['label'], match.similarity_info.distance] for match in index.query(query)]
out = csv.DictWriter(sys.stdout, ['collab', 'signal_type', 'signal_str', 'category', 'tags'])
out.writeheader()
for row in rows: out.writerow(dict(collab='sosia', signal_type='pdq', signal_str=row['hash'], category='X', tags=row['label']))
print(json.dumps([signals, sorted(found)]), file=sys.stderr)`;

test(
  'threatexchange reads the lists, finds the same hashes in them, and Sosia reads its table',
  { skip: !existsSync(python) && `threatexchange is not installed in ${python}` },
  async () => {
    const all = hashes(2000);
    const query = all[3]!;
    const entries = [...all, changed(query, 31), changed(query, 12), changed(query, 32)];
    await importTo('peer', 'l', entries.map((hash, i) => `${hash},,number ${i}\n`).join(''));
    const files = ['text', 'csv'].map(async (format) => {
      writeFileSync(join(home, `peer.${format}`), textOf(await exported('peer', 'l', format)));
      return join(home, `peer.${format}`);
    });
    const args = ['-c', `${peer}`, ...(await Promise.all(files)), query];
    const [table, said] = [join(home, 'peer.table'), join(home, 'peer.json')];
    execFileSync('sh', ['-c', `"$0" "$@" >${table} 2>${said}`, python, ...args]);
    const [signals, found] = JSON.parse(readFileSync(said, 'utf8').trim().split('\n').at(-1)!);
    assert.deepEqual(signals, entries);
    const { matches } = await ask('peer', 'review', 'SearchHashes', { pdq: query });
    assert.deepEqual(found, matches.map(({ label, distance }: any) => [label, distance]).sort());
    const csv = textOf(await exported('peer', 'l', 'csv'));
    await importTo('peer', 'table', readFileSync(table, 'utf8'));
    assert.equal(textOf(await exported('peer', 'table', 'csv')), csv);
  },
);
