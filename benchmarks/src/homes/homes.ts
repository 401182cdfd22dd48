import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Found, SearchOptions, Sosia } from '@sosia/client';
import { openImageStore } from '@sosia/server';
import { startCluster, stopCluster } from '@sosia/testing/cluster/cluster';
import { engineInstalled } from '@sosia/testing/cluster/engine';
import { population } from '@sosia/testing/describing/population';
import { attackedReferences } from '@sosia/testing/pictures/attacked';
import { photographs } from '@sosia/testing/pictures/corpus';
import { dnasOf } from '@sosia/testing/searching/partition';
import { createApplication, sosia, startService } from '@sosia/testing/service/service';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, countOf, missingCorpora } from '../harness/benchmark.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { copies } from '../views/views.ts';

const TYPE = 'media-matching';
const SEED = 1;
const AT_ONCE = 1000;
const USUAL = 'usual edits';

interface Query {
  readonly kind: string;
  readonly dna: Uint8Array;
  /** The references that show. */
  readonly shown: readonly number[];
}

export default benchmark({
  title: 'Data folder and cluster',
  kind: 'accuracy',
  about: 'Pictures and variations; the nodes have the lists.',
  missing: engineInstalled() ? missingCorpora('photos', 'photos_small') : 'OpenSearch is not installed',
  targets: { 'usual edits: the same answer': '>= 1' },
  options: { pictures: 10_000, usual: 250, strong: 15 },
  size: ({ pictures, usual, strong }) => ({
    usual: `${countOf(pictures)} pictures, ${usual} pictures an edit`,
    '': `${countOf(pictures)} pictures, ${strong} pictures an edit`,
  }),
  measures: ['cli', 'engine', 'server'],
  run: ({ pictures, usual, strong }) =>
    inTemporaryFolder(async (folder) => {
      chmodSync(folder, 0o755); // the node of OpenSearch runs as another user
      const queries = await queriesOf(usual, strong, folder);
      const data = join(folder, 'data');
      const key = createApplication(data, TYPE);
      await fill(data, (await population(TYPE, pictures, SEED))!);
      const cluster = join(folder, 'cluster');
      try {
        const [node] = await startCluster(cluster, { nodes: 1 });
        const { url } = node!;
        execFileSync(process.execPath, [sosia, 'move', '--from', data, '--to', url], { stdio: 'inherit' });
        const services = [
          await startService({ data }),
          await startService({ data: join(folder, 'none'), flags: ['--cluster', url, '--cluster-search', 'lists'] }),
        ];
        const clients = services.map((service) => service.client(key)) as [Sosia, Sosia];
        const compared = [];
        for (const query of queries) compared.push(await comparedAnswers(clients, query));
        for (const service of services) await service.close();
        return figuresOf(compared);
      } finally {
        await stopCluster(cluster);
      }
    }),
});

async function queriesOf(usual: number, strong: number, folder: string): Promise<Query[]> {
  const corpus = photographs(300, SEED)!;
  const edited = await attackedReferences(corpus, usual, SEED);
  const all = [
    ...edited.map(({ image, path }) => ({ kind: USUAL, path, shown: [image] })),
    ...(await copies(corpus.references, corpus.negatives, strong, folder)),
  ];
  const dnas = await dnasOf(
    TYPE,
    all.map(({ path }) => path),
    'query',
  );
  return all.map(({ kind, shown }, i) => ({ kind, shown, dna: dnas[i]! }));
}

async function fill(data: string, dnas: readonly Uint8Array[]): Promise<void> {
  const store = await openImageStore(data);
  for (let start = 0; start < dnas.length; start += AT_ONCE) {
    const batch = dnas.slice(start, start + AT_ONCE);
    await Promise.all(
      batch.map((dna, i) => store.append(1, { id: `${start + i}`, keywords: keywordsOf(start + i), dna })),
    );
  }
  await store.close();
}

const keywordsOf = (n: number): string[] => [`half ${n % 2}`, `tenth ${n % 10}`];

interface Compared {
  readonly kind: string;
  /** Whether both backends give the same answer. */
  readonly same: boolean;
  /** The searches with options that they answer differently. */
  readonly different: readonly string[];
  /** Whether the backend finds a shown picture first. */
  readonly folder: boolean;
  readonly cluster: boolean;
}

async function comparedAnswers([folder, cluster]: readonly [Sosia, Sosia], query: Query): Promise<Compared> {
  const { kind, dna } = query;
  const [own, other] = [await folder.searchByDna(dna), await cluster.searchByDna(dna)];
  const different: string[] = [];
  for (const [name, options] of Object.entries(kind === USUAL ? narrowed(query) : {})) {
    const [one, two] = [await folder.searchByDna(dna, options), await cluster.searchByDna(dna, options)];
    if (!isDeepStrictEqual(one, two)) different.push(name);
  }
  const same = isDeepStrictEqual(own, other);
  return { kind, same, different, folder: showsAny(own, query), cluster: showsAny(other, query) };
}

function narrowed({ shown }: Query): Readonly<Record<string, SearchOptions>> {
  const image = shown[0]!;
  const ids = Array.from({ length: 700 }, (_, i) => `${(image + 3 * i) % 2100}`);
  return {
    'explained, the first three': { explain: true, count: 3 },
    'the second and third': { start: 1, count: 2 },
    'half of the pictures': { keywords: [`half ${image % 2}`] },
    'a tenth that does not show it': { keywords: [`tenth ${(image + 1) % 10}`] },
    '700 ids': { ids },
  };
}

function showsAny({ images }: Found, { shown }: Query): boolean {
  return images.slice(0, shown.length).some(({ id }) => shown.includes(Number(id)));
}

function figuresOf(compared: readonly Compared[]) {
  const rowOf = (kind: string, queries: readonly Compared[]) => ({
    kind,
    queries: queries.length,
    'the same answer': share(queries, ({ same }) => same),
    'shown picture first, data folder': share(queries, ({ folder }) => folder),
    'shown picture first, cluster': share(queries, ({ cluster }) => cluster),
  });
  const usual = rowOf(USUAL, compared.filter(({ kind }) => kind === USUAL)); // prettier-ignore
  const strong = rowOf('strong edits', compared.filter(({ kind }) => kind !== USUAL)); // prettier-ignore
  const edited = compared.filter(({ kind }) => kind === USUAL);
  const options = Object.keys(narrowed({ kind: USUAL, dna: new Uint8Array(), shown: [0] }));
  const figures = [usual, strong].flatMap(({ kind, queries: _, ...shares }) =>
    Object.entries(shares).map(([name, value]) => [`${kind}: ${name}`, value] as const),
  );
  return {
    figures: Object.fromEntries(figures),
    tables: {
      kinds: [...groupsOf(compared, ({ kind }) => kind)].map(([kind, queries]) => rowOf(kind, queries)),
      'usual edits with options': options.map((search) => ({
        search,
        'the same answer': share(edited, ({ different }) => !different.includes(search)),
      })),
    },
  };
}
