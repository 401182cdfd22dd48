import { errorCodes, type Sosia } from '@sosia/client';
import { between, oneOf, randomFor, type Random } from '@sosia/testing/pictures/random';
import { addSamples, type Sample } from '@sosia/testing/service/samples';
import { codeOf, type Service } from '@sosia/testing/service/service';
import { median } from '@sosia/testing/statistics';
import { systemTest } from '@sosia/testing/harness/system-test';

const CLIENTS = 8;
/** A tenth of the requests bring a picture; half of these are searched, half are refused after decoding. */
const PICTURES = 0.1;
/** The most by which memory may grow, and by how many the open files. */
const GROWTH = 1.1;
const FILES = 5;

/** Mixed requests on a fixed stock of pictures. The last third of the run is compared with the third before it. */
export default systemTest({
  name: 'memory',
  promise: 'Memory and open files do not grow.',
  sizes: { SOSIA_REQUESTS: { usual: 12_000, whole: 120_000 } },
  async run({ seed, size, expect, start }) {
    const requests = size.SOSIA_REQUESTS;
    const service = await start();
    const key = service.createApplication('media-matching');
    const client = service.client(key);
    const stock = await addSamples(client);

    const readings: Reading[] = [];
    const codes: Record<number, number> = {};
    let next = 0;
    const work = async (_: unknown, name: number): Promise<void> => {
      const random = randomFor('memory', seed, name);
      for (let i = next++; i < requests; i = next++) {
        if (i % Math.ceil(requests / 60) === 0) readings.push(await readingOf(service));
        const stored = stock[Math.floor(between(random, 0, stock.length))]!;
        const code = await codeOf(one(client, service.client(`wrong ${i}`), stored, i, random));
        codes[code] = (codes[code] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));

    const third = Math.floor(readings.length / 3);
    const parts = [readings.slice(third, 2 * third), readings.slice(2 * third)];
    const compared = (name: keyof Reading) =>
      parts.map((part) => Math.round(median(part.map((reading) => reading[name])))) as [number, number];
    const [rss, heap, files, children] = [compared('rss'), compared('heap'), compared('files'), compared('children')];
    expect(rss[1] <= GROWTH * rss[0], `resident memory grows: ${rss.join(' to ')} MB`);
    expect(heap[1] <= GROWTH * heap[0], `the heap grows: ${heap.join(' to ')} MB`);
    expect(files[1] <= files[0] + FILES, `open files grow: ${files.join(' to ')}`);
    expect(!(errorCodes.INTERNAL in codes), 'an internal error');
    return { requests, codes, middleThenLast: { rss, heap, files, children } };
  },
});

async function one(client: Sosia, stranger: Sosia, { id, file, dna }: Sample, i: number, random: Random) {
  if (random() < PICTURES) return random() < 0.5 ? client.search(file) : client.add(id, file);
  switch (oneOf(random, ['get', 'dna', 'list', 'search', 'add and delete', 'wrong key'] as const)) {
    case 'get':
      return client.image(id);
    case 'dna':
      return client.dna(id);
    case 'list':
      return client.list();
    case 'search':
      return client.searchByDna(dna, { count: 3 });
    case 'wrong key':
      return stranger.image(id);
    case 'add and delete':
      await client.addDna(`passing ${i}`, dna);
      return client.delete(`passing ${i}`);
  }
}

/** Memory in MB, as the service reports it, and that of its children as the system does. */
interface Reading {
  readonly rss: number;
  readonly heap: number;
  readonly files: number;
  readonly children: number;
}

async function readingOf(service: Service): Promise<Reading> {
  const [rss, heap, files] = await Promise.all(
    ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'process_open_fds'].map((name) =>
      service.metric(name),
    ),
  );
  return { rss: rss! / 2 ** 20, heap: heap! / 2 ** 20, files: files!, children: service.memory().children };
}
