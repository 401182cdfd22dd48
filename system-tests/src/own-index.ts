import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import { pictureNames, readPicture } from '@sosia/fixtures';
import { addInBulk } from '@sosia/testing/cluster/bulk';
import { startCluster, stopCluster } from '@sosia/testing/cluster/cluster';
import { systemTest } from '@sosia/testing/harness/system-test';
import { pictureOf } from '@sosia/testing/pictures/raster';
import { randomFor } from '@sosia/testing/pictures/random';
import { codeOf, createApplicationIn, type Service } from '@sosia/testing/service/service';

const TYPE = 'media-matching';
const CLIENTS = 6;
/** Pictures from the beginning: some hundred less than an application with its own index has. */
const BEGUN_WITH = 900;
/** The longest wait before a kill, in milliseconds from the beginning of the copy. */
const LATEST_KILL = 12_000;
const LONGEST_ROUND = 300_000;

/**
 * Clients add and delete pictures of an application that shares an index, through two services, until it has its own. Both are killed
 * while it is copied, every third time as soon as the shared index takes no changes.
 */
export default systemTest({
  name: 'own-index',
  promise: 'An application that gets its own index loses nothing where its services are killed.',
  sizes: { SOSIA_APPLICATIONS: { usual: 3, whole: 12 } },
  needs: ['OpenSearch'],
  async run({ seed, size, folder, expect, start }) {
    chmodSync(folder, 0o755); // nodes run as another user
    const random = randomFor('own-index', seed);
    const counts = { kills: 0, confirmed: 0, unknown: 0, lost: 0, extra: 0 };
    try {
      const nodes = await startCluster(join(folder, 'cluster'), { javaOptions: ['-XX:TieredStopAtLevel=1'] });
      const cluster = nodes.map(({ url }) => url).join();
      const read = async (path: string) => (await fetch(`${nodes[0]!.url}${path}`)).text();
      const serve = () => start({ flags: ['--cluster', cluster, '--search-workers', '1'] });
      const dnas = pictureNames
        .slice(0, CLIENTS)
        .map((name) => typeDefinitions[TYPE].describe(pictureOf(readPicture(name)), 'reference'));
      const services: [Service, Service] = [await serve(), await serve()];
      for (let round = 1; round <= size.SOSIA_APPLICATIONS; round++) {
        const key = createApplicationIn(['--cluster', cluster], TYPE);
        await pause(2000); // until both services have it
        const begun = Array.from({ length: BEGUN_WITH }, (_, i) => `begun ${i}`);
        await addInBulk(cluster, round, begun, (i) => dnas[i % CLIENTS]!);
        const present = new Set(begun);
        const unknown = new Set<string>();
        const index = () => read(`/_cat/aliases/sosia-${round}?h=index`);
        const state = { ended: false };
        const work = Promise.all(dnas.map((_, part) => changing(part)));
        const end = performance.now() + LONGEST_ROUND;
        while (performance.now() < end && (await read(`/_cat/indices/sosia-${round}-*?h=index`)) === '')
          await pause(50);
        if (round % 3 > 0) await pause(LATEST_KILL * random());
        else while ((await index()).includes('shared') && !(await isBlocked(await index()))) await pause(3);
        for (const service of services) await service.kill();
        counts.kills += services.length;
        services[0] = await serve();
        services[1] = await serve();
        while (performance.now() < end && (await index()).includes('shared')) await pause(500);
        expect(!(await index()).includes('shared'), `application ${round} still shares an index`);
        state.ended = true;
        await work;
        const found = new Set<string>();
        for await (const { id } of services[0].client(key).images()) found.add(id);
        const sure = [...present].filter((id) => !unknown.has(id));
        counts.confirmed += sure.length;
        counts.unknown += unknown.size;
        counts.lost += sure.filter((id) => !found.has(id)).length;
        counts.extra += [...found].filter((id) => !present.has(id) && !unknown.has(id)).length;

        async function changing(part: number): Promise<void> {
          for (let i = 0; !state.ended; i++) {
            const id = `${part} ${i}`;
            const client = services[(part + i) % 2]!.client(key);
            const code = await codeOf(client.addDna(id, dnas[i % dnas.length]!)).catch(() => -1);
            if (code === 0) present.add(id);
            else {
              unknown.add(id);
              await pause(200);
            }
            if (code !== 0 || i % 4 > 0) continue;
            const deleted = await codeOf(client.delete(id)).catch(() => -1);
            if (deleted === 0) present.delete(id);
            else unknown.add(id);
          }
        }
      }

      async function isBlocked(index: string): Promise<boolean> {
        return (await read(`/${index.trim()}/_settings/index.blocks.write?flat_settings=true`)).includes('"true"');
      }
    } finally {
      await stopCluster(join(folder, 'cluster'));
    }
    expect(counts.lost === 0, `${counts.lost} pictures were lost`);
    expect(counts.extra === 0, `${counts.extra} deleted pictures are back`);
    return counts;
  },
});
