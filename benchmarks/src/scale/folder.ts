import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openImageStore } from '@sosia/server';
import { createApplication, startService } from '@sosia/testing/service/service';
import { elapsed } from '../harness/timing.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { entryOf } from './content.ts';

const AT_ONCE = 1024;

/** A data folder whose index is saved. */
export interface Filled {
  readonly data: string;
  /** Of its application of Media Matching. */
  readonly key: string;
  /** The time of the first start, which builds the index, in milliseconds; undefined for a folder of an earlier run. */
  readonly firstStart: number | undefined;
}

/**
 * Runs the work with a folder of `size` pictures, which is removed afterwards. With `kept` it stays there as the folder
 * `size` for the next run: a million pictures take an hour to store and to index.
 */
export async function withFilled<T>(
  { size, kept }: { readonly size: number; readonly kept: string },
  dnaOf: (n: number) => Uint8Array,
  work: (filled: Filled) => Promise<T>,
): Promise<T> {
  if (!kept) return inTemporaryFolder(async (folder) => work(await fill(folder, size, dnaOf)));
  const folder = join(kept, String(size));
  const known = keyIn(folder);
  if (known) return work({ data: join(folder, 'data'), key: known, firstStart: undefined });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const filled = await fill(folder, size, dnaOf);
  writeFileSync(join(folder, 'key'), filled.key);
  return work(filled);
}

/** Undefined in a folder that was not filled to the end. */
function keyIn(folder: string): string | undefined {
  const path = join(folder, 'key');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

async function fill(folder: string, size: number, dnaOf: (n: number) => Uint8Array): Promise<Filled> {
  const data = join(folder, 'data');
  const key = createApplication(data, 'media-matching');
  const filling = await elapsed(async () => {
    const store = await openImageStore(data);
    for (let i = 0; i < size; i += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, size - i) }, (_, j) => i + j);
      await Promise.all(batch.map((n) => store.append(1, { ...entryOf(n), dna: dnaOf(n) })));
    }
    await store.close();
  });
  console.error(`${size} pictures stored in ${Math.round(filling / 1000)} s`);
  const first = await startService({ data });
  console.error(`first start: ${Math.round(first.startMs)} ms`);
  await first.stop();
  return { data, key, firstStart: first.startMs };
}
