// Adds pictures one after another while the disk fails, and prints a line of JSON: `writer.js FOLDER`.
import { Failure, openImageStore } from '@sosia/server';
import { pictureOf } from '../powercut/history.ts';

/** What the writer saw. */
export interface Seen {
  /** Why the store did not open; null where it did. */
  readonly opening: string | null;
  /** The failure of each add, in order; null for success. */
  readonly adds: (string | null)[];
  readonly state: string;
  /** Numbers of the pictures that could still be read after the last add. */
  readonly read: readonly number[];
}

const nameOf = (cause: unknown) => (cause instanceof Failure ? cause.error : String(cause));
const print = (seen: Seen) => process.stdout.write(JSON.stringify(seen));

const [, , folder] = process.argv;
const store = await openImageStore(folder!).catch((cause: unknown) => {
  print({ opening: nameOf(cause), adds: [], state: 'closed', read: [] });
  process.exit();
});
const adds: (string | null)[] = [];
for (let number = 1; number <= 40; number++) {
  adds.push(await store.append(1, pictureOf(number)).then(() => null, nameOf));
}
const read: number[] = [];
for await (const batch of store.replay(1)) read.push(...batch.map(({ id }) => Number(id.split('-')[1])));
print({ opening: null, adds, state: store.state, read });
process.exit(); // without closing: the folder is left as the fault left it
