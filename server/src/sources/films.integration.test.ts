import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';
import { makeFilm, withoutFfmpeg } from './films.test.kit.ts';
import type { Shot } from './films.test.kit.ts';
import { FilmsKind } from './films.ts';
import type { Item } from './source.ts';
import { pictureFolder } from './sources.test.kit.ts';
import type { PictureFolder } from './sources.test.kit.ts';

const SECONDS = 2;
const shots: readonly Shot[] = [1, 5, 8, 13, 23].map((photograph, i) => {
  return { photograph, seconds: SECONDS, camera: i % 2 ? 'pans' : 'zooms' };
});

/** Another version of a still, as somebody publishes it. */
const edits: Record<string, (still: Buffer) => Promise<Buffer>> = {
  bars: (still) => sharp(still).extend({ top: 90, bottom: 90, background: '#000' }).jpeg().toBuffer(),
  logo: async (still) => {
    const logo = await sharp(await photograph(3))
      .resize(120)
      .toBuffer();
    return sharp(still)
      .composite([{ input: logo, left: 20, top: 20 }])
      .jpeg()
      .toBuffer();
  },
  grey: (still) => sharp(still).grayscale().jpeg({ quality: 60 }).toBuffer(),
  sepia: (still) => sharp(still).grayscale().tint('#b09060').jpeg().toBuffer(),
  cut: (still) => sharp(still).extract({ left: 120, top: 60, width: 420, height: 260 }).jpeg().toBuffer(),
};

describe('films', { skip: withoutFfmpeg }, () => {
  let folder: PictureFolder;
  let service: Service;
  let key: string;

  before(async () => {
    folder = await pictureFolder();
    makeFilm(join(folder.path, 'scenes.mp4'), shots);
    await utimes(join(folder.path, 'scenes.mp4'), 1, 1);
    service = await startService({}, { source_folders: folder.path, decode_workers: '2' });
    key = service.application('media-matching');
  });
  after(async () => {
    await service.close();
    await folder.close();
  });

  const on = (operation: string, values: Values = {}): Promise<any> =>
    service.administer(operation, { application: 'media-matching', source: 'films', ...values });
  const images = async (): Promise<any[]> =>
    (await service.query('ListImages', { application_key: key, nb_results: 100 })).images;
  const search = async (image_content: Uint8Array, values: Values = {}): Promise<any[]> =>
    (await service.query('SearchImageByUpload', { application_key: key, image_content, ...values })).images;

  const pictures = new Map<number, Buffer>();
  /** The picture of the film at some seconds. */
  function pictureAt(time: number): Buffer {
    const at = ['-ss', String(time), '-i', join(folder.path, 'scenes.mp4'), '-frames:v', '1'];
    const made = pictures.get(time) ?? execFileSync('ffmpeg', ['-v', 'error', ...at, '-f', 'mjpeg', '-q:v', '3', '-']);
    pictures.set(time, made);
    return made;
  }

  async function passed(): Promise<any> {
    const { last_pass: before } = (await on('GetSource')).source;
    if (before !== null) await on('RunSource');
    for (;;) {
      const { source } = await on('GetSource');
      if (source.last_pass !== before && source.state !== 'running') return source;
      await pause(50);
    }
  }

  test('each shot has stills, whose ids name the film and the second', async () => {
    await on('CreateSource', { name: 'films', kind: 'films', path: folder.path, interval: 3600 });
    const { pictures, failed, fault } = await passed();
    assert.deepEqual([failed, fault], [0, '']);
    const all = await images();
    assert.equal(all.length, pictures);
    for (const { id, origin } of all) {
      const clock = `0:00:${origin.time.toFixed(2).padStart(5, '0')}`;
      assert.equal(id, `scenes.mp4#t=${clock}`);
      assert.deepEqual(origin, { source: 'films', kind: 'films', path: 'scenes.mp4', time: origin.time });
    }
    const shown = new Set(all.map(({ origin }) => Math.floor(origin.time / SECONDS)));
    assert.deepEqual([...shown].sort(), [0, 1, 2, 3, 4]);
    assert.ok(pictures <= 20, `${pictures} stills`);
  });

  for (const [name, edit] of Object.entries(edits)) {
    test(`${name}: the edited scene finds each still at its second`, async () => {
      for (const { id, origin } of await images()) {
        const found = await search(await edit(pictureAt(origin.time)));
        assert.ok(
          found.some((each) => each.id === id),
          `${id} is not among ${found.map((each) => each.id).join()}`,
        );
        assert.equal(Math.floor(found[0].origin.time / SECONDS), Math.floor(origin.time / SECONDS));
      }
    });
  }

  test('stills of a scene are one result with its interval', async () => {
    const [zoomed] = await search(await photograph(1), { fold: 1 });
    const stills = (await images()).map(({ origin }) => origin.time).filter((time) => time < SECONDS);
    assert.deepEqual(zoomed.origin.interval, [stills[0], stills.at(-1)]);
    assert.equal(zoomed.copies?.length ?? 0, stills.length - 1);
    const [{ origin }] = await search(await photograph(1));
    assert.equal(origin.interval, undefined);
  });

  test('a film that moves keeps its stills and their keywords; others come, change and go', async () => {
    const before = await images();
    const times = before.map(({ origin }) => origin.time);
    await service.modify('SetKeywords', { application_key: key, image_id: before[0].id, keywords: ['own'] });
    await folder.move('scenes.mp4', 'moved/7.mp4');
    makeFilm(
      join(folder.path, 'two.mkv'),
      [2, 3].map((photograph) => ({ photograph, seconds: 1 })),
    );
    await utimes(join(folder.path, 'two.mkv'), 2, 2);
    const moved = await passed();
    assert.deepEqual([moved.progress.moved, moved.progress.removed], [times.length, 0]);
    const all = await images();
    assert.deepEqual(
      all.filter(({ origin }) => origin.path === 'moved/7.mp4').map(({ origin }) => origin.time),
      times,
    );
    assert.deepEqual(all[0].keywords, ['own']);
    const count = all.filter(({ origin }) => origin.path === 'two.mkv').length;
    assert.equal(count, 2);
    makeFilm(join(folder.path, 'two.mkv'), [{ photograph: 7, seconds: 1 }]);
    await utimes(join(folder.path, 'two.mkv'), 3, 3);
    const changed = await passed();
    assert.deepEqual([changed.progress.changed, changed.progress.removed], [1, count - 1]);
    await folder.remove('two.mkv');
    assert.equal((await passed()).progress.removed, 1);
    assert.equal((await passed()).progress.work, 0);
  });

  test('what is no film is named with its reason, and read again when it has changed', async () => {
    await folder.write('text.mp4', 'no film');
    await folder.write('list.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${folder.path}/moved/7.mp4\n`);
    await folder.write('concat.avi', `ffconcat version 1.0\nfile '${folder.path}/moved/7.mp4'\n`);
    const whole = await readFile(join(folder.path, 'moved/7.mp4'));
    await folder.write('cut.mp4', whole.subarray(0, whole.length / 2));
    await symlink('/etc', join(folder.path, 'link'));
    await symlink(join(folder.path, 'moved/7.mp4'), join(folder.path, 'link.mp4'));
    assert.equal((await passed()).failed, 4);
    const { failures } = await on('GetSource');
    assert.deepEqual(
      failures.map(({ key, code }: any) => [key, code]),
      ['concat.avi', 'cut.mp4', 'list.mp4', 'text.mp4'].map((name) => [name, errors.DAMAGED_PICTURE.code]),
    );
    assert.ok(failures.every(({ message }: any) => !message.includes('/dev/fd')));
    assert.equal((await passed()).progress.work, 0);
    for (const name of ['list.mp4', 'concat.avi', 'text.mp4']) await folder.remove(name);
    await folder.write('cut.mp4', whole);
    assert.equal((await passed()).failed, 0);
    assert.equal((await images()).filter(({ origin }) => origin.path === 'cut.mp4').length > 0, true);
  });

  test('a film is looked at again where a kill has left a part of its stills', async () => {
    const kind = new FilmsKind([folder.path], 65_534);
    const source = await kind.open(await kind.settings({ path: folder.path }));
    const listed = async (entries: Iterable<Item>): Promise<Item[]> => {
      const stored = [...entries].map(({ key, version }) => [key, { key, version: version! }] as const);
      const items: Item[] = [];
      for await (const item of source.list(new AbortController().signal, new Map(stored))) items.push(item);
      return items;
    };
    const all = await listed([]);
    assert.ok(all.length > 5);
    const part = all.slice(1);
    assert.deepEqual(await listed(part), all);
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    try {
      assert.deepEqual(await listed(all), all, 'without ffmpeg');
      const kept = await listed(part);
      assert.ok(
        part.every(({ key }) => kept.some((each) => each.key === key)),
        'what is known stays',
      );
    } finally {
      process.env['PATH'] = path;
    }
  });

  test('the still is opened from the film as it is now; a link out of the folder opens nothing', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'sosia-outside-'));
    const kind = new FilmsKind([folder.path], 65_534);
    const settings = await kind.settings({ path: folder.path });
    const still = await kind.original(settings, 'moved/7.mp4#t=0:00:04.00');
    assert.deepEqual((await sharp(still).metadata()).width, 640);
    await assert.rejects(kind.original(settings, '../scenes.mp4#t=0:00:04.00'));
    makeFilm(join(outside, '7.mp4'), shots.slice(0, 1));
    await symlink(outside, join(folder.path, 'out'));
    await assert.rejects(kind.original(settings, 'out/7.mp4#t=0:00:00.00'), /changed since/);
    await rm(outside, { recursive: true });
  });
});

test('without ffmpeg the kind is refused', async () => {
  const path = process.env['PATH'];
  const kind = new FilmsKind([tmpdir()], 65_534);
  process.env['PATH'] = '';
  try {
    await assert.rejects(kind.settings({ path: tmpdir() }), {
      error: 'SOURCE_REFUSED',
      message: /expected the program ffmpeg/,
    });
  } finally {
    process.env['PATH'] = path;
  }
});
