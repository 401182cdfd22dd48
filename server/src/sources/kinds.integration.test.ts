import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../errors.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import type { Values } from '../service.test.kit.ts';
import { sourceCases } from './source-cases.test.kit.ts';
import type { SourceCase } from './source-cases.test.kit.ts';

// What holds for each kind of source.

for (const [kind, { open, skip }] of Object.entries(sourceCases)) {
  describe(`a source of the kind ${kind}`, { skip }, () => {
    let place: SourceCase;
    let data: string;
    let server: RunningServer;
    let [administrator, key] = ['', ''];

    before(async () => {
      place = await open();
      data = await mkdtemp(join(tmpdir(), 'sosia-followed-'));
      await start();
      administrator = server.administratorKey!;
      key = (await on('CreateApplication', { name: 'a', type: 'media-matching' })).secret;
    });
    after(async () => {
      await server.close();
      await place.close();
      await rm(data, { recursive: true });
    });

    const start = async (): Promise<void> => {
      server = await startServerOn(data, place.settings, place.options);
    };
    const on = (operation: string, values: Values = {}): Promise<any> =>
      askServer(server, 'administration', operation, { application_key: administrator, ...values });
    const ofSource = (operation: string, values: Values = {}): Promise<any> =>
      on(operation, { application: 'a', source: 's', ...values });
    const put = async (name: string, number: number | null): Promise<void> =>
      place.put(name, number === null ? null : await place.file(number));
    const images = async (): Promise<any[]> =>
      (await askServer(server, 'enginequery', 'ListImages', { application_key: key, nb_results: 100 })).images;
    const ids = async (): Promise<string[]> => (await images()).map(({ id }) => id).sort();
    const idsOf = (...names: string[]): string[] => names.map((name) => place.idOf(name)).sort();
    const found = async (number: number): Promise<any> => {
      const query = { application_key: key, image_content: await photograph(number) };
      return (await askServer(server, 'enginequery', 'SearchImageByUpload', query)).images[0];
    };

    /** Lets a pass run to its end. */
    async function passed(values: Values = {}): Promise<any> {
      const { last_pass: last } = (await ofSource('GetSource')).source;
      if (last !== null) assert.equal((await ofSource('RunSource', values)).status.code, 0);
      return ended(last);
    }

    async function ended(last: string | null): Promise<any> {
      for (;;) {
        const { source } = await ofSource('GetSource');
        if (source.last_pass !== last && source.state !== 'running') return source;
        await pause(20);
      }
    }

    test('new pictures appear with keywords and origin, after a dry run that changes nothing; failures have reasons', async () => {
      await put('one', 1);
      await put('two', 2);
      await place.put('none', Buffer.from('text'));
      const values = { ...place.values, application: 'a', name: 's', interval: 3600, keywords: ['k'] };
      const { preview } = await on('CreateSource', { ...values, dry_run: 1 });
      assert.deepEqual(preview, { listed: 3, added: 3, changed: 0, removed: 0, fault: '' });
      assert.deepEqual([(await on('ListSources')).sources, await ids()], [[], []]);
      await on('CreateSource', values);
      const { state, pictures, failed, progress } = await passed();
      assert.deepEqual([state, pictures, failed], ['waiting', 2, 1]);
      assert.deepEqual([progress.listed, progress.added, progress.failed], [3, 2, 1]);
      assert.deepEqual(await ids(), idsOf('one', 'two'));
      for (const [i, { keywords, origin }] of (await images()).entries()) {
        const expected = { source: 's', kind, ...place.originOf(['one', 'two'][i]!) };
        assert.deepEqual([keywords, origin], [['k'], expected]);
      }
      assert.equal((await found(2)).id, place.idOf('two'));
      const { failures } = await ofSource('GetSource');
      assert.equal(failures.length, 1);
      assert.match(failures[0].image_id, /none/);
      assert.ok(failures[0].code < 0 && failures[0].message !== '');
      assert.equal((await passed()).progress.work, 0);
      const foretold = async (given: Values = {}): Promise<any> =>
        (await ofSource('RunSource', { ...given, dry_run: 1 })).preview;
      assert.deepEqual(await foretold(), { listed: 3, added: 0, changed: 0, removed: 0, fault: '' });
      assert.deepEqual(await foretold({ retry: 1 }), { listed: 3, added: 0, changed: 1, removed: 0, fault: '' });
      await place.put('none', null);
      assert.deepEqual(await foretold(), { listed: 2, added: 0, changed: 0, removed: 0, fault: '' });
    });

    test('changed pictures change, moved ones keep their keywords, and removed ones go', async () => {
      const image_id = place.idOf('one');
      await askServer(server, 'enginemodify', 'SetKeywords', { application_key: key, image_id, keywords: ['own'] });
      const one = await place.file(1);
      await place.put('moved', one);
      await place.put('one', null);
      await put('two', 4);
      await put('none', 5);
      const { progress, failed } = await passed();
      const { added, changed, moved, removed } = progress;
      assert.deepEqual(
        { added, changed, moved, removed, failed },
        { added: 1, changed: 1, moved: 1, removed: 0, failed: 0 },
      );
      assert.deepEqual(await ids(), idsOf('moved', 'none', 'two'));
      assert.deepEqual((await images()).find(({ id }) => id === place.idOf('moved')).keywords, ['own']);
      assert.equal((await found(4)).id, place.idOf('two'));
      await put('none', null);
      assert.equal((await passed()).progress.removed, 1);
      assert.deepEqual(await ids(), idsOf('moved', 'two'));
    });

    test('an empty listing removes nothing before somebody agrees', async () => {
      await put('moved', null);
      await put('two', null);
      const { state, question, last_pass } = await passed();
      assert.deepEqual([state, question], ['confirmation needed', { removals: 2, of: 2 }]);
      assert.equal((await ids()).length, 2);
      assert.equal((await ofSource('ConfirmSource', { removals: 1 })).status.code, errors.NOT_CONFIRMED.code);
      await ofSource('ConfirmSource', { removals: 2 });
      assert.equal((await ended(last_pass)).question, null);
      assert.deepEqual(await ids(), []);
    });

    test('a paused source does nothing', async () => {
      assert.equal((await ofSource('SetSource', { paused: 1 })).source.state, 'paused');
      await put('0', 7);
      assert.equal((await ofSource('RunSource')).status.code, errors.BAD_PARAMETER.code);
      assert.deepEqual(await ids(), []);
      const { last_pass } = (await ofSource('SetSource', { paused: 0 })).source;
      await ofSource('RunSource');
      assert.equal((await ended(last_pass)).progress.added, 1);
    });

    test('a service that ends in the middle resumes: each picture is there once', async () => {
      const names = Array.from({ length: 6 }, (_, i) => String(i));
      for (const [i, name] of names.entries()) await put(name, 7 + i);
      await ofSource('RunSource');
      while ((await ofSource('GetSource')).source.progress.done < 2) await pause(10);
      await server.close();
      await start();
      while ((await ids()).length < names.length) await pause(20);
      const { pictures, failed } = await passed();
      assert.deepEqual([pictures, failed], [names.length, 0]);
      assert.deepEqual(await ids(), idsOf(...names));
      assert.equal((await found(10)).id, place.idOf('3'));
      assert.equal((await passed()).progress.work, 0);
    });
  });
}
