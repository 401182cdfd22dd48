import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@sosia/testing/service/service';
import type { Stock } from './clients.ts';
import type { Site } from './site.ts';

const SEARCHES = 12;

/** Searches while the only copy of a shard is on a node that was killed: each must be refused. The pictures have no further copies afterwards. */
export async function missingShard(site: Site, { ids, query }: Stock): Promise<{ refused: number; partial: number }> {
  const counts = { refused: 0, partial: 0 };
  site.killNode(await site.keepOneCopy());
  for (let i = 0; i < SEARCHES; i++) {
    const client = site.client(i % 2)!;
    let found = 0;
    const search =
      i % 3 === 0
        ? client.searchByDna(query, { keywords: ['stock'], count: ids.length })
        : client.searchByKeywords(['stock'], { count: ids.length });
    const code = await codeOf(search.then(({ images }) => (found = images.length)));
    if (code !== 0) counts.refused++;
    else if (found < ids.length) counts.partial++;
    await pause(200);
  }
  await site.untilWhole();
  return counts;
}
