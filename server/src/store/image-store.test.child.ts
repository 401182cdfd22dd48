// Started by the tests as a separate process, with a mode (`open`, `fill`, `write` or `events`) and a data folder.
import { writeSync } from 'node:fs';
import { Failure } from '../errors.ts';
import { openImageStore } from './image-store.ts';

const [task, folder] = process.argv.slice(2) as [string, string];
const nameOf = (cause: unknown) => (cause instanceof Failure ? cause.error : String(cause));

if (task === 'open') {
  const said = await openImageStore(folder).then(() => 'opened', nameOf);
  writeSync(1, said);
  process.exit(); // leaves the store open: the lock must be released by the process's end
}

if (task === 'fill') {
  const store = await openImageStore(folder);
  const failures: string[] = [];
  let stored = 0;
  while (failures.length === 0) {
    const image = { id: `p${stored}`, keywords: [], dna: new Uint8Array(50_000) };
    // the second is in the commit after the one that fails
    const both = await Promise.allSettled([store.append(1, image), store.append(1, image)]);
    stored += both.filter(({ status }) => status === 'fulfilled').length;
    for (const one of both) if (one.status === 'rejected') failures.push(nameOf(one.reason));
  }
  await store.remove(1, 1).catch((cause: unknown) => failures.push(nameOf(cause)));
  let readable = 0;
  for await (const batch of store.replay(1)) readable += batch.length;
  const { state } = store;
  await store.close();
  writeSync(1, JSON.stringify({ stored, failures, state, readable }));
}

if (task === 'write') {
  // eight writers, each adding and removing pictures of its own until the process is killed
  const store = await openImageStore(folder);
  for (let writer = 0; writer < 8; writer++) void write(writer);
  async function write(writer: number): Promise<void> {
    for (let i = 0; ; i++) {
      const id = `${process.pid}-${writer}-${i}`;
      writeSync(1, `add ${id}\n`);
      const number = await store.append(1, { id, keywords: [id], dna: new Uint8Array(2_000).fill(i) });
      writeSync(1, `added ${id}\n`);
      if (i % 3 !== 0) continue;
      writeSync(1, `remove ${id}\n`);
      await store.remove(1, number);
      writeSync(1, `removed ${id}\n`);
    }
  }
}

if (task === 'events') {
  // eight writers, each adding pictures with two events until the process is killed
  const store = await openImageStore(folder);
  for (let writer = 0; writer < 8; writer++) void write(writer);
  async function write(writer: number): Promise<void> {
    for (let i = 0; ; i++) {
      const id = `${process.pid}-${writer}-${i}`;
      const common = { image: id, at: new Date().toISOString(), score: 0, similarity: 100, decision: '', info: '' };
      const events = ['first', 'second'].map((search) => ({ key: `${search} ${id}`, search, watched: 'w', ...common }));
      const image = { id, keywords: [], dna: new Uint8Array(2_000).fill(i), events: { application: 1, events } };
      await store.append(1, image);
      writeSync(1, `${id}\n`);
    }
  }
}
