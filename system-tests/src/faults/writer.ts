// Adds pictures one after another while the disk fails, and tells in a line of JSON what it saw: `faults-writer.js FOLDER`.
import { Failure, openImageStore } from '@sosia/server';
import { pictureOf } from '../powercut/history.ts';

/** What became of each add, in order; null for success. */
export interface Seen {
  readonly opening: string | null;
  readonly adds: (string | null)[];
  readonly state: string;
  /** Pictures that could still be read after the last add. */
  readonly read: number;
}

const nameOf = (cause: unknown) => (cause instanceof Failure ? cause.error : String(cause));

const folder = process.argv[2]!;
const store = await openImageStore(folder).catch((cause) => {
  process.stdout.write(JSON.stringify({ opening: nameOf(cause), adds: [], state: 'closed', read: 0 } satisfies Seen));
  process.exit();
});
const adds: (string | null)[] = [];
for (let number = 1; number <= 40; number++) {
  adds.push(await store.append(1, pictureOf(number)).then(() => null, nameOf));
}
let read = 0;
for await (const batch of store.replay(1)) read += batch.length;
const seen: Seen = { opening: null, adds, state: store.state, read };
process.stdout.write(JSON.stringify(seen));
process.exit(); // without closing: the folder is left as the fault left it
