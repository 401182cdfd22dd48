import { finished } from '@sosia/engine';
import { openImageStore } from '@sosia/server';
import { Catalogue } from '@sosia/server/applications/catalogue/catalogue';
import { elapsed } from '../harness/timing.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { millisecondsSince } from './processor.ts';
import { entryOf } from './content.ts';

/** A real DNA has 12 KB; reading those is not measured here. */
const dna = new Uint8Array(64);
const AT_ONCE = 1024;

/** The start of `size` pictures from the data folder without an index, and the purge of their application. */
export function measureStore(size: number): Promise<Readonly<Record<string, number>>> {
  return inTemporaryFolder(async (folder) => {
    const filled = await openImageStore(folder);
    for (let i = 0; i < size; i += AT_ONCE) {
      const images = Array.from({ length: Math.min(AT_ONCE, size - i) }, (_, j) => ({ ...entryOf(i + j), dna }));
      await Promise.all(images.map((image) => filled.append(1, image)));
    }
    await filled.close();

    const start = process.cpuUsage();
    const store = await openImageStore(folder);
    const opened = millisecondsSince(start);
    const catalogue = new Catalogue();
    for await (const records of store.replay(1)) records.forEach((record) => catalogue.stock(record));
    const replayed = millisecondsSince(start);
    finished(catalogue.arrange());
    const arranged = millisecondsSince(start);

    const waits = [0];
    const left = () => store.count(1);
    const purge = elapsed(() => store.purge(1));
    while ((await left()) > 0) waits.push(await elapsed(() => store.append(2, { ...entryOf(0), dna })));
    const row = {
      'check at the start, ms': opened,
      'reading from the store, ms': replayed - opened,
      'putting in order, ms': arranged - replayed,
      'purge of all, ms by the clock': await purge,
      'longest add beside the purge, ms by the clock': Math.max(...waits),
    };
    await store.close();
    return row;
  });
}
