import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { parse } from 'csv-parse/sync';
import { editedFolder } from '@sosia/fixtures';
import { bin, end, Services } from '../testing/service.test.kit.ts';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside, Ended } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
const copy = join(editedFolder, 'kodim05-cropped.jpg');

before(async () => {
  beside = await startBeside('receiver.example');
  key = beside.application();
});
after(() => beside.close());

async function run(...words: string[]): Promise<Ended> {
  const ended = await beside.sosia(key, ...words);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

test('searches are saved, listed and deleted, and their events are listed', async () => {
  await run('add', photograph(5), '--id', 'reference');
  await run('saved-search', 'add', photograph(5), '--keywords', 'summer');
  const saved = await run(
    'saved-search',
    'add',
    'reference',
    '--reference',
    '--id',
    'towers',
    '--decision',
    'Match',
    '--existing',
  );
  assert.match(saved.err, /saved: towers, 0 events of present pictures/);
  await run('add', copy, '--id', 'a', '--keywords', 'summer');
  await run('add', photograph(2), '--id', 'b');
  await run('saved-search', 'add', photograph(5), '--id', 'ours', '--relation', 'part', '--where', 'agency=AP');
  assert.match((await run('saved-search', 'list')).out, /^ours +Similar +part +0 % +agency="AP"/m);
  await run('saved-search', 'delete', 'ours');
  assert.match((await run('saved-search', 'list')).out, /kodim05\.jpg +Match +0 % +summer/);

  const events = parsed((await run('events', '--json')).out);
  assert.deepEqual(events.map(({ search_id }) => search_id).sort(), [basename(photograph(5)), 'towers']);
  assert.match((await run('events', '--after', '1')).out, /^2 .*Z .* found a: Match, [\d.]+ %\n$/);

  await run('saved-search', 'delete', 'towers');
  assert.equal((await beside.sosia(key, 'saved-search', 'delete', 'towers')).code, 1);
  assert.match((await run('saved-search', 'list')).err, /1 saved search$/m);
});

test('all pictures of another application are searched for by its key', async () => {
  const other = beside.application();
  const ofOther = (...words: string[]) => beside.sosia(other, ...words);
  assert.equal((await ofOther('add', photograph(5), '--id', 'towers.jpg')).code, 0);
  const market = beside.application();
  const sosia = (...words: string[]) => beside.sosia(market, ...words);
  assert.match((await sosia('saved-search', 'add')).err, /expected a picture or --pictures-of/);
  assert.match((await sosia('saved-search', 'add', '--pictures-of', other)).err, /expected --id and no picture/);
  assert.equal((await sosia('add', copy, '--id', 'a')).code, 0);
  const saved = await sosia('saved-search', 'add', '--pictures-of', other, '--id', 'stolen', '--existing');
  assert.match(saved.err, /saved: stolen, in the background: events of present pictures/);
  while ((await sosia('events')).out === '') await pause(100);
  assert.match((await sosia('events')).out, / stolen found a by towers\.jpg: Match, [\d.]+ %\n$/);
  assert.match((await sosia('saved-search', 'list')).out, /pictures of[^]*stolen .* media-matching/);

  await sosia('events', '--report', 'stolen.csv');
  assert.match(readFileSync(join(beside.home, 'stolen.csv'), 'utf8'), /"media-matching[^"]*: towers\.jpg"/);
});

test('events are followed across kills of the service: none is missing, none comes twice, and their order is kept', async (t) => {
  const services = new Services();
  t.after(() => services.close());
  let service = await services.start('serve', 'followed');
  const ports = ['--modify-port', `${service.modify}`, '--query-port', `${service.query}`];
  const words = ['app', 'create', '--type', 'media-matching', '--name', 'a', '--json'];
  const created = execFileSync(process.execPath, [bin, ...words, '--data', join(services.home, 'followed')]);
  const key = JSON.parse(String(created)).application_key;
  const [modify, query] = [service.modify, service.query].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const sosia = new Sosia({ modify, query, key });
  const environment = { ...services.env, SOSIA_MODIFY_URL: modify, SOSIA_KEY: key };
  const following = spawn(process.execPath, [bin, 'events', '--follow', '--json'], { env: environment });
  t.after(() => following.kill());
  let said = '';
  let complaints = '';
  following.stdout.on('data', (text) => (said += text));
  following.stderr.on('data', (text) => (complaints += text));
  const reached = async (last: number) => {
    while (parsed(said.slice(0, said.lastIndexOf('\n') + 1)).length < last) {
      assert.equal(following.exitCode, null, complaints);
      await pause(1);
    }
  };
  for (const [i, number] of [1, 2, 3].entries()) {
    const picture = readFileSync(photograph(number));
    await sosia.add(`${number}`, picture);
    for (let j = 0; j < 40; j++) await sosia.events.save(`${number} ${j}`, { id: `${number}` });
    const adding = sosia.add(`copy of ${number}`, picture).catch(() => {});
    await reached(40 * i + 1);
    await end(service.child, 'SIGKILL');
    await adding;
    service = await services.start('serve', 'followed', ...ports);
  }
  await reached(120);
  assert.deepEqual(
    parsed(said).map(({ id }) => id),
    Array.from({ length: 120 }, (_, i) => i + 1),
  );
});

test('a report has the facts of each event of its period, and both pictures, and foreign texts stay texts', async () => {
  const reporting = beside.application();
  const sosia = async (...words: string[]) => {
    const ended = await beside.sosia(reporting, ...words);
    assert.equal(ended.code, 0, ended.err);
    return ended;
  };
  await sosia('add', photograph(5), '--id', '<b>original</b>');
  await sosia('saved-search', 'add', '<b>original</b>', '--reference', '--id', '=towers');
  await sosia('saved-search', 'add', photograph(2), '--id', 'doors');
  await sosia('add', copy, '--id', 'cropped "copy"');
  const middle = new Date().toISOString();
  await sosia('add', photograph(2), '--id', 'b');

  assert.match((await sosia('events', '--report', 'all.csv')).err, /2 events in all\.csv/);
  const table = readFileSync(join(beside.home, 'all.csv'));
  const rows: any[] = parse(table, { bom: true, columns: true });
  const shown = rows.map((row) => [row.event, row['saved search'], row['found picture'], row.decision, row.verdict]);
  assert.deepEqual(shown, [
    ['2', 'doors', 'b', 'Clone', ''],
    ['1', "'=towers", 'cropped "copy"', rows[1].decision, ''],
  ]);
  const [event] = parsed((await sosia('events', '--json')).out) as [any];
  const { time, 'watched picture': watched, 'watched part': part, 'similarity in %': similarity } = rows[1];
  assert.deepEqual([time, watched, similarity], [event.at, '<b>original</b>', String(event.similarity)]);
  const { topLeftPoint, bottomRightPoint } = JSON.parse(event.result_info).reference.matchingBox;
  const box = part.split(' ').map(Number);
  [...topLeftPoint, ...bottomRightPoint].forEach((each, i) => assert.ok(Math.abs(each * 100 - box[i]) <= 0.05));

  await sosia('events', '--report', 'early.html', '--until', middle);
  const page = readFileSync(join(beside.home, 'early.html'), 'utf8');
  assert.equal(page.match(/<article>/g)!.length, 1);
  assert.equal(page.match(/<img alt="" src="data:image\/jpeg;base64,[\w+/]{1000,}=*">/g)!.length, 2);
  assert.match(
    page,
    /<dd>&lt;b&gt;original&lt;\/b&gt;<dt>watched part<dd>[\d. ]+<dt>found picture<dd>cropped &quot;copy&quot;/,
  );
  assert.doesNotMatch(page, /<b>/);
  assert.match((await sosia('events', '--report', 'late.HTML', '--since', middle)).err, /1 event in/);

  for (const [refused, words] of [
    [/ends with \.html or \.csv, got report\.pdf/, ['--report', 'report.pdf']],
    [/since: expected a date/, ['--report', 'a.csv', '--since', 'yesterday']],
    [/are for --report/, ['--since', '2026-01-01']],
  ] as const) {
    const { code, err } = await beside.sosia(reporting, 'events', ...words);
    assert.ok(code !== 0);
    assert.match(err, refused);
  }
  assert.ok(!existsSync(join(beside.home, 'a.csv')));
});

test('a report says where a source had both pictures, also after one was deleted', async () => {
  const reporting = beside.application('image-similarity');
  const administrator = parsed((await beside.sosia('', 'admin', 'key', '--data', beside.data, '--json')).out)[0].key;
  const sosia = async (...words: string[]) => {
    const ended = await beside.sosia(reporting, ...words);
    assert.equal(ended.code, 0, ended.err);
  };
  const source = async (...words: string[]) => {
    const ended = await beside.sosia(administrator, 'source', ...words, '--application', 'image-similarity');
    assert.equal(ended.code, 0, ended.err);
    return ended.out;
  };
  const folder = join(beside.home, 'shop');
  mkdirSync(folder);
  const put = (file: string, name: string) => {
    copyFileSync(file, join(folder, name));
    utimesSync(join(folder, name), 1, 1);
  };
  const shows = async (state: RegExp) => {
    while (!state.test(await source('show', 'posters'))) await pause(100);
  };
  put(photograph(5), 'known.jpg');
  await source('add', 'posters', '--path', folder, '--interval', '3600');
  await shows(/pictures +1/);
  await sosia('saved-search', 'add', 'known.jpg', '--reference');
  put(photograph(5), 'found.jpg');
  await source('run', 'posters');
  await shows(/pictures +2/);
  rmSync(join(folder, 'found.jpg'));
  await source('run', 'posters');
  await shows(/pictures +1/);
  await sosia('events', '--report', 'places.csv');
  const rows: any[] = parse(readFileSync(join(beside.home, 'places.csv')), { bom: true, columns: true });
  const places = rows.map((row) => [row['watched picture lay at'], row['found picture lay at']]);
  assert.deepEqual(places, [['posters: known.jpg', 'posters: found.jpg']]);
});

test('webhooks are added, listed, rotated, resumed and deleted', async () => {
  const added = (await run('webhook', 'add', 'newsroom', 'https://receiver.example/events')).out;
  assert.match(added, /^whsec_[\w+/]{43}=\n$/);
  assert.match((await run('webhook', 'list')).out, /^newsroom +https:\/\/receiver\.example\/events +sending +\d+ +0$/m);
  const { secret } = parsed((await run('webhook', 'rotate', 'newsroom', '--json')).out)[0]!;
  assert.notEqual(`${secret}\n`, added);
  assert.match((await run('webhook', 'resume', 'newsroom')).err, /resumed: newsroom, 0 events to send/);
  await run('webhook', 'delete', 'newsroom');
  assert.match((await run('webhook', 'list')).err, /0 webhooks$/m);

  const refused = await beside.sosia(key, 'webhook', 'add', 'newsroom', 'https://elsewhere.example/');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /fetch_hosts|elsewhere\.example/);
});
