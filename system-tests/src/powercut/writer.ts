// Writes into a data folder and announces each write: `writer.js WORKLOAD FOLDER`.
import { join } from 'node:path';
import { openApplicationStore, openImageStore } from '@sosia/server';
import type { NewImage } from '@sosia/server';
import { announceAck, announced, announceTry } from '@sosia/testing/ledger/announced';
import { application, eventsOf, pictureOf, snapshotFolder } from './history.ts';

const [workload, folder] = process.argv.slice(2) as [string, string];
const { number: owner } = await announced('application 1', 'made', () =>
  openApplicationStore(folder).create(application),
);
let store = await openImageStore(folder);
let given = 0;

function add(): Promise<number> {
  const number = ++given; // the store gives its numbers in the order of the calls
  return announced(pictureOf(number).id, 'added', () => store.append(owner, withEvents(number)));
}

function withEvents(number: number): NewImage {
  return { ...pictureOf(number), events: { application: owner, events: eventsOf(number) } };
}

function remove(number: number): Promise<unknown> {
  return announced(pictureOf(number).id, 'removed', () => store.remove(owner, number));
}

async function restart(): Promise<void> {
  await store.close();
  store = await openImageStore(folder);
}

const workloads: Record<string, () => Promise<void>> = {
  /** One after another, over a restart. */
  async adds() {
    for (let i = 0; i < 40; i++) await add();
    await restart();
    for (let i = 0; i < 40; i++) await add();
  },
  async mixed() {
    for (let i = 0; i < 60; i++) {
      const number = await add();
      if (i % 3 === 1) await remove(number - 1);
      if (i % 5 === 4) await remove(number);
      if (i === 30) await restart();
    }
  },
  /** Groups of changes, and enough of them (6 MB) that SQLite puts its log into the database meanwhile. */
  async concurrent() {
    const writer = async (_: unknown, offset: number): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        const number = await add();
        if ((i + offset) % 4 === 0) await remove(number);
      }
    };
    await Promise.all(Array.from({ length: 12 }, writer));
  },
  async snapshot() {
    for (let i = 0; i < 20; i++) await add();
    const copied = announced('snapshot', 'made', () => store.snapshot(join(folder, snapshotFolder)));
    for (let i = 0; i < 20; i++) await add();
    await copied;
    for (let i = 0; i < 5; i++) await add();
  },
  /** Wrong on purpose: acknowledges a write that has only begun. */
  async early() {
    for (let number = 1; number <= 20; number++) {
      const { id } = pictureOf(number);
      announceTry(id, 'added');
      const added = store.append(owner, withEvents(number));
      announceAck(id);
      await added;
    }
  },
};

await workloads[workload]!();
await store.close();
