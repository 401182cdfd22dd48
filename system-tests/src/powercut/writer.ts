// Writes into a data folder: `powercut-writer.js WORKLOAD FOLDER`. Says on stdout, unbuffered, `TRY x` before each change
// and `ACK x` once it is acknowledged, x being what powercut-checker.ts sees of it afterwards.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openApplicationStore, openImageStore } from '@sosia/server';
import { application, pictureOf, snapshotFolder } from './history.ts';

const [workload, folder] = process.argv.slice(2) as [string, string];

const say = (word: 'TRY' | 'ACK', what: string) => writeSync(1, `${word} ${what}\n`);

async function asked<T>(what: string, change: () => T | Promise<T>): Promise<T> {
  say('TRY', what);
  const done = await change();
  say('ACK', what);
  return done;
}

// a folder that anything was ever done to can be opened, from the very first moment
say('TRY', 'open');
say('ACK', 'open');

const { number: of } = await asked('application', () => openApplicationStore(folder).create(application));
let store = await openImageStore(folder);
let given = 0;

function add(): Promise<number> {
  const number = ++given; // the store gives its numbers in the order of the calls
  return asked(`add-${number}`, () => store.append(of, pictureOf(number)));
}
const remove = (number: number) => asked(`remove-${number}`, () => store.remove(of, number));

const work: Record<string, () => Promise<void>> = {
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
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let i = 0; i < 60; i++) {
          const number = await add();
          if ((i + writer) % 4 === 0) await remove(number);
        }
      }),
    );
  },
  async snapshot() {
    for (let i = 0; i < 20; i++) await add();
    const copied = asked('snapshot', () => store.snapshot(join(folder, snapshotFolder)));
    for (let i = 0; i < 20; i++) await add();
    await copied;
    for (let i = 0; i < 5; i++) await add();
  },
  /** Wrong on purpose: acknowledges what is only under way. */
  async early() {
    for (let number = 1; number <= 20; number++) {
      say('TRY', `add-${number}`);
      const added = store.append(of, pictureOf(number));
      say('ACK', `add-${number}`);
      await added;
    }
  },
};

async function restart(): Promise<void> {
  await store.close();
  store = await openImageStore(folder);
}

await work[workload]!();
await store.close();
