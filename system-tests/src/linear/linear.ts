import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes, type Sosia } from '@sosia/client';
import { between, oneOf, randomFor, type Random } from '@sosia/testing/pictures/random';
import { addSamples, type Sample } from '@sosia/testing/service/samples';
import { codeOf } from '@sosia/testing/service/service';
import { systemTest } from '@sosia/testing/harness/system-test';
import { orderFault, withFalseRead, type Event } from './order.ts';

const CLIENTS = 16;
const IDS = 12;
const LIFE_MS = 4000;

/** Clients add, delete, get and search the same few ids at once, while the service is killed or stopped and started again. */
export default systemTest({
  name: 'linear',
  promise: 'For each picture one order of all that happened to it fits the clock and every answer, over restarts.',
  sizes: { SOSIA_LIVES: { usual: 8, whole: 200 } },
  async run({ seed, size, faults, expect, start }) {
    const histories = Array.from({ length: IDS }, (): Event[] => []);
    let version = 0;
    let service = await start();
    const key = service.createApplication('media-matching');
    const other = service.client(service.createApplication('media-matching'));
    const [{ dna }] = (await addSamples(other, 1)) as [Sample];

    for (let life = 0; life < size.SOSIA_LIVES; life++) {
      let over = false;
      const client = service.client(key);
      const work = Array.from({ length: CLIENTS }, async (_, i) => {
        const random = randomFor('linear', seed, life, i);
        while (!over) await one(client, random).catch(() => pause(5));
      });
      await pause(LIFE_MS * between(randomFor('linear', seed, life), 0.5, 1));
      const end = life % 2 ? service.stop() : service.kill();
      over = true;
      await Promise.all([end, ...work]);
      for (const event of histories.flat()) if (event.end === Infinity) event.end = performance.now();
      service = await start();
    }
    await service.stop();

    histories.forEach((history, i) => {
      const fault = orderFault(history);
      if (fault) faults.push(`id-${i}: ${fault}`);
    });
    const falseReads = histories.flatMap((history) =>
      [withFalseRead(history) ?? []].filter(({ length }) => length > 0),
    );
    const falseReadsCaught = falseReads.filter(orderFault).length;
    expect(falseReadsCaught > 0, 'no history with a false read was caught');
    const events = histories.flat();
    const unanswered = events.filter(({ open }) => open).length;
    expect(unanswered > 0, 'every request was answered');
    const reads = events.filter(({ kind }) => kind === 'read').length;
    return { lives: size.SOSIA_LIVES, events: events.length, unanswered, reads, falseReadsCaught };

    async function one(client: Sosia, random: Random): Promise<void> {
      const at = Math.floor(random() * IDS);
      const id = `id-${at}`;
      const history = histories[at]!;
      const what = oneOf(random, ['add', 'delete', 'get', 'search'] as const);
      const kind = what === 'add' || what === 'delete' ? what : 'read';
      const event: Event = { begin: performance.now(), end: Infinity, open: true, kind, version: 0, done: true };
      if (kind === 'add') event.version = ++version;
      if (kind !== 'read') history.push(event);
      let keywords: readonly string[] | undefined;
      const request = {
        add: () => client.addDna(id, dna, [`v${event.version}`]),
        delete: () => client.delete(id),
        get: async () => ({ keywords } = await client.image(id)),
        search: async () => (keywords = (await client.searchByDna(dna, { ids: [id] })).images[0]?.keywords),
      }[what];
      const code = await codeOf(request());
      if (code === errorCodes.OVERLOADED) return; // a write may have been done
      const unchanged = {
        add: errorCodes.IMAGE_EXISTS,
        delete: errorCodes.IMAGE_NOT_FOUND,
        get: errorCodes.UNKNOWN_IMAGE,
      };
      event.done = code === 0;
      expect(event.done || code === { ...unchanged, search: 0 }[what], `${what} of ${id} answered ${code}`);
      event.end = performance.now();
      event.open = false;
      if (kind !== 'read') return;
      event.version = keywords ? Number(keywords[0]!.slice(1)) : 0;
      history.push(event);
    }
  },
});
