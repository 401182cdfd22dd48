import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { between, oneOf, randomFor } from '@sosia/testing/pictures/random';
import { createApplication, startServer } from '@sosia/testing/service/server';
import type { Server } from '@sosia/testing/service/server';
import { median } from '@sosia/testing/statistics';
import { ask } from './ask.ts';
import { type GateResult, sizeOf } from './gate.ts';

const REQUESTS = sizeOf('SOSIA_REQUESTS', { usual: 12_000, whole: 120_000 });
const CLIENTS = 8;
/** A tenth of the requests bring a picture; half of these pictures are pushed through FineComparison or refused. */
const PICTURES = 0.1;
/** Most by which the later half may lie over the middle of the run. */
const GROWTH = 1.1;
const FILES = 5;

interface Reading {
  readonly rss: number;
  readonly heap: number;
  readonly files: number;
  readonly children: number;
}

/**
 * A long run of mixed requests on a fixed stock of pictures. Once warm, neither memory nor open files may grow: the last third
 * is compared with the one before it.
 */
export async function run(): Promise<GateResult> {
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const data = mkdtempSync(join(tmpdir(), 'sosia-memory-'));
  const key = createApplication(data, 'media-matching');
  const server = await startServer(data);
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  const pictures = names.map((name) => readFileSync(join(samplesFolder, name)));
  const dnas: string[] = [];
  for (const [i, image_content] of pictures.entries()) {
    const values = { application_key: key, image_id: names[i]! };
    await ask(server, 'modify/AddImage', { ...values, image_content });
    dnas.push((await ask(server, 'modify/GetDnaById', values)).dna!.dna);
  }

  const readings: Reading[] = [];
  const codes = new Map<number, number>();
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const random = randomFor('memory', seed, client);
      for (let i = next++; i < REQUESTS; i = next++) {
        if (i % Math.ceil(REQUESTS / 60) === 0) readings.push(await reading(server));
        const at = Math.floor(between(random, 0, names.length));
        const code = random() < PICTURES ? await withPicture(at, random) : await without(at, i, random);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    }),
  );
  await server.stop();
  rmSync(data, { recursive: true });

  const third = Math.floor(readings.length / 3);
  const [middle, last] = [readings.slice(third, 2 * third), readings.slice(2 * third)];
  const typical = (of: readonly Reading[], pick: (reading: Reading) => number) => median(of.map(pick));
  const compared = Object.fromEntries(
    (['rss', 'heap', 'files', 'children'] as const).map((name) => [
      name,
      [middle, last].map((part) => Math.round(typical(part, (each) => each[name]))),
    ]),
  ) as Record<keyof Reading, [number, number]>;
  const grows = (name: 'rss' | 'heap') => compared[name][1] > GROWTH * compared[name][0];
  const faults = [
    ...(['rss', 'heap'] as const).filter(grows).map((name) => `${name} grows: ${compared[name].join(' to ')} MB`),
    ...(compared.files[1] > compared.files[0] + FILES ? [`open files grow: ${compared.files.join(' to ')}`] : []),
    ...(codes.has(-1000) ? ['an internal error'] : []),
  ];
  const figures = { seed, requests: REQUESTS, codes: Object.fromEntries(codes), middleThenLast: compared, faults };
  return { passed: faults.length === 0, figures };

  async function withPicture(at: number, random: () => number): Promise<number> {
    const values = { application_key: key, image_content: pictures[at]! };
    if (random() < 0.5) return (await ask(server, 'query/SearchImageByUpload', values)).status.code;
    // refused after decoding: the id is there
    return (await ask(server, 'modify/AddImage', { ...values, image_id: names[at]! })).status.code;
  }

  async function without(at: number, i: number, random: () => number): Promise<number> {
    const image_id = names[at]!;
    const values = { application_key: key, image_id };
    const other = { application_key: key, image_id: `passing ${i}`, dna: dnas[at]! };
    switch (oneOf(random, ['get', 'dna', 'list', 'search', 'pass', 'wrong key'] as const)) {
      case 'get':
        return (await ask(server, 'query/GetImageById', values)).status.code;
      case 'dna':
        return (await ask(server, 'modify/GetDnaById', values)).status.code;
      case 'list':
        return (await ask(server, 'query/ListImages', { application_key: key })).status.code;
      case 'search':
        return (await ask(server, 'query/SearchImageByDna', { application_key: key, dna: dnas[at]!, nb_results: '3' }))
          .status.code;
      case 'wrong key':
        return (await ask(server, 'query/GetImageById', { ...values, application_key: `wrong ${i}` })).status.code;
      case 'pass':
        await ask(server, 'modify/AddImage', other);
        return (await ask(server, 'modify/DeleteImage', { application_key: key, image_id: other.image_id })).status
          .code;
    }
  }
}

/** In MB; what the service itself says, and what the system says of its children. */
async function reading(server: Server): Promise<Reading> {
  const figures = await (await fetch(`${server.modify}/metrics`)).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(figures)?.[1]);
  return {
    rss: of('process_resident_memory_bytes') / 2 ** 20,
    heap: of('nodejs_heap_size_used_bytes') / 2 ** 20,
    files: of('process_open_fds'),
    children: server.memory().children,
  };
}
