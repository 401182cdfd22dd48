// Reads a data folder a line and answers, in a line of JSON, what powercut-clients.ts left in it.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { openApplicationStore, openImageStore, verify } from '@sosia/server';

/** What a data folder shows. */
export interface Shown {
  /** The default number of results of each application. */
  readonly defaults: readonly number[];
  readonly ids: readonly string[];
  /** What is damaged, or has not the DNA that its keyword names. */
  readonly altered: readonly string[];
}

for await (const folder of createInterface({ input: process.stdin })) {
  const answer = await check(folder).catch((cause: Error) => ({ error: cause.message }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  globalThis.gc?.();
}

async function check(folder: string): Promise<Shown> {
  const altered: string[] = [];
  const damaged = (damage: object) => void altered.push(JSON.stringify(damage));
  const applications = openApplicationStore(folder, damaged);
  const defaults = applications.list().map((application) => application.defaults.nbResults);
  applications.close();

  const ids: string[] = [];
  const store = await openImageStore(folder, damaged);
  for await (const batch of store.replay(1)) {
    for (const { id, keywords, dna } of batch) {
      ids.push(id);
      if (keywords.length === 0) continue; // a picture that came as a file
      const digest = createHash('sha256').update(dna).digest('hex');
      if (keywords.join() !== [digest, id].join()) altered.push(id);
    }
  }
  await store.close();
  verify(folder).damages.forEach(damaged);
  return { defaults, ids, altered };
}
