import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { askServer, photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

interface App {
  readonly review: (operation: string, values?: Values) => Promise<any>;
  readonly add: (id: string, picture: Uint8Array) => Promise<void>;
  readonly delete: (id: string) => Promise<void>;
}

function newApplication(): App {
  const application_key = service.application('media-matching');
  const review: App['review'] = (operation, values = {}) =>
    askServer(service, 'review', operation, { application_key, ...values });
  return {
    review,
    async add(image_id, image_content) {
      const { status } = await service.modify('AddImage', { application_key, image_id, image_content });
      assert.equal(status.code, 0, status.message);
    },
    async delete(image_id) {
      const { status } = await service.modify('DeleteImage', { application_key, image_id });
      assert.equal(status.code, 0, status.message);
    },
  };
}

const copyOf = async (number: number, width: number): Promise<Buffer> =>
  sharp(await photograph(number))
    .resize(width)
    .jpeg({ quality: 80 })
    .toBuffer();

const partOf = async (number: number): Promise<Buffer> =>
  sharp(await photograph(number))
    .extract({ left: 40, top: 40, width: 300, height: 260 })
    .png()
    .toBuffer();

/** An application with five events: three of `harbour`, which is a reference, and two of `bridge`, which is a file. */
async function withEvents(): Promise<App> {
  const app = newApplication();
  await app.add('original.jpg', await photograph(1));
  await app.review('SaveSearch', { search_id: 'harbour', query_id: 'original.jpg' });
  await app.review('SaveSearch', { search_id: 'bridge', image_content: await photograph(2) });
  await app.add('a.jpg', await copyOf(1, 500));
  await app.add('b.jpg', await copyOf(2, 500));
  await app.add('c.jpg', await copyOf(1, 420));
  await app.add('d.jpg', await copyOf(2, 420));
  await app.add('part.png', await partOf(1));
  return app;
}

const idsOf = ({ events }: { events: { id: number }[] }): number[] => events.map(({ id }) => id);

test('events are listed the latest first, in pages, by search, decision, relation and what was read', async () => {
  const { review } = await withEvents();
  const first = await review('ReviewEvents', { nb_results: 3 });
  assert.deepEqual([idsOf(first), first.next, first.nb_unread], [[5, 4, 3], 3, 5]);
  const rest = await review('ReviewEvents', { nb_results: 3, before: first.next });
  assert.deepEqual([idsOf(rest), rest.next], [[2, 1], undefined]);
  assert.deepEqual(idsOf(await review('ReviewEvents', { nb_results: 0 })), []);

  const [event] = first.events;
  assert.deepEqual(
    [event.watched, event.relation, event.unread, event.verdict],
    ['original.jpg', 'part', true, undefined],
  );
  assert.match(rest.events[0].watched, /^dna:/);
  const { saved_searches } = await review('ListSavedSearches');
  assert.deepEqual(
    saved_searches.map((each: any) => each.query_id),
    [undefined, 'original.jpg'],
  );

  assert.deepEqual(idsOf(await review('ReviewEvents', { search_id: 'bridge' })), [4, 2]);
  assert.deepEqual(idsOf(await review('ReviewEvents', { relation: 'part' })), [5]);
  assert.deepEqual(idsOf(await review('ReviewEvents', { decision: 'Clone', search_id: 'harbour' })), [3, 1]);

  assert.equal((await review('MarkEventsRead', { event_id: 4 })).nb_unread, 4);
  assert.deepEqual(idsOf(await review('ReviewEvents', { state: 'unread' })), [5, 3, 2, 1]);
  assert.equal((await review('MarkEventsRead', { event_id: 3, older: 1 })).nb_unread, 1);
  assert.deepEqual(idsOf(await review('ReviewEvents', { state: 'unread' })), [5]);
  assert.equal((await review('MarkEventsRead', { event_id: 99, older: 1 })).nb_unread, 0);
});

test('events are of a period, with their pictures as far as they are known', async () => {
  const app = await withEvents();
  const { events } = await app.review('ReviewEvents');
  const { at } = events[2];
  const period = async (values: Values) => idsOf(await app.review('ReviewEvents', values));
  assert.deepEqual(
    [await period({ since: at }), await period({ until: at })],
    [
      [5, 4, 3],
      [2, 1],
    ],
  );
  assert.deepEqual(await period({ since: '2020-01-01', until: '2020-01-02T00:00:00+02:00' }), []);
  for (const since of ['yesterday', '2026-02-31'])
    assert.equal((await app.review('ReviewEvents', { since })).status.code, errors.BAD_PARAMETER.code);

  const known = async (): Promise<boolean[][]> =>
    (await app.review('ReviewEvents', { pictures: 1 })).events.map(({ pictures }: any) =>
      [pictures.watched, pictures.found].map(({ thumbnail }) => Buffer.from(thumbnail ?? '', 'base64')[0] === 0xff),
    );
  assert.deepEqual(await known(), Array(5).fill([true, true]));
  await app.delete('d.jpg');
  await app.delete('original.jpg');
  await app.review('SaveSearch', { search_id: 'bridge', image_content: await photograph(3) });
  assert.deepEqual(await known(), [
    [true, true],
    [false, false],
    [true, true],
    [false, true],
    [true, true],
  ]);
});

test('a verdict on an event is one of the review, and the latest one counts', async () => {
  const { review } = await withEvents();
  const judge = async (event_id: number, verdict: string) =>
    (await review('JudgeEvent', { event_id, verdict })).verdict;
  await judge(1, 'same');
  await judge(1, 'different');
  const ignored = await judge(4, 'ignore');
  await judge(5, 'same');
  const { verdicts } = await review('ListVerdicts');
  assert.deepEqual(
    verdicts.map((each: any) => [each.verdict, each.images.filter((id: string) => !id.startsWith('dna:')), each.kept]),
    [
      ['same', ['original.jpg', 'part.png'], null],
      ['ignore', ['d.jpg'], null],
      ['different', ['a.jpg', 'original.jpg'], null],
    ],
  );
  assert.deepEqual(idsOf(await review('ReviewEvents', { state: 'different' })), [1]);
  assert.deepEqual(idsOf(await review('ReviewEvents', { state: 'open' })), [3, 2]);
  assert.equal((await review('ReviewEvents', { nb_results: 0 })).nb_unread, 2, 'a judged event is read');

  await review('UndoVerdict', { verdicts: ignored });
  assert.deepEqual(idsOf(await review('ReviewEvents', { state: 'open' })), [4, 3, 2]);
  const { status } = await review('JudgeEvent', { event_id: 6, verdict: 'same' });
  assert.equal(status.code, errors.UNKNOWN_EVENT.code);
});

test('the review proposes no pair that was judged different as an event, and what it judges is the verdict of the event', async () => {
  const { review, add } = newApplication();
  const groups = async (): Promise<string[]> => {
    await review('StartReview');
    while ((await review('GetReview')).review.state === 'running') await new Promise((done) => setTimeout(done, 50));
    return (await review('ListGroups')).groups.map(({ id }: any) => id);
  };
  await add('original.jpg', await photograph(1));
  await review('SaveSearch', { search_id: 'harbour', query_id: 'original.jpg' });
  await add('a.jpg', await copyOf(1, 500));
  const [group] = await groups();
  const { verdict } = await review('JudgeEvent', { event_id: 1, verdict: 'different' });
  assert.deepEqual(await groups(), []);
  await review('UndoVerdict', { verdicts: verdict });
  assert.deepEqual(await groups(), [group]);
  await review('Judge', { groups: group!, verdict: 'keep' });
  const [event] = (await review('ReviewEvents', { state: 'same' })).events;
  assert.deepEqual([event.id, event.verdict.verdict], [1, 'same']);
});
