import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errorCodes } from '@sosia/client';
import { type ApplicationType, type Picture, signedBytes, typeDefinitions, writeNetworkDna } from '@sosia/engine';
import { pictureNames, type Pixels, readPicture } from '@sosia/fixtures';
import { Failure } from '@sosia/server';
import { foldedPage } from '@sosia/server/applications/folding';
import type { Matches, Page, References, Restriction } from '@sosia/server/applications/references';
import { termOf } from '@sosia/server/applications/metadata-terms';
import type { TermRange } from '@sosia/server/applications/metadata-terms';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';
import { openClustered, openEmbedded } from './backends.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: { 'node.store.allow_mmap': 'true' } };
const SEED = Number(process.env['SEED'] ?? 7);

let one = '';
let three: readonly string[] = [];
const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'sosia-backends-')));
before(async () => {
  if (skip) return;
  one = (await startCluster(folders[0]!, { ...quick, nodes: 1 }))[0]!.url;
  three = (await startCluster(folders[1]!, quick)).map(({ url }) => url);
});
after(() => Promise.all(folders.map((folder) => stopCluster(folder))));

/** Of the vectors that stand for those of a network. */
const network = { digest: '0123456789abcdef', length: 8 };

/** Pictures and parts of them, so that most match several. */
function material(type: ApplicationType, isByNetwork: boolean): { references: Uint8Array[]; queries: Uint8Array[] } {
  const { describe } = typeDefinitions[type];
  const whole = pictureNames.map((name) => part(readPicture(name), 0, 0, 1));
  const parts = whole.flatMap((picture) => [part(picture, 0.1, 0.05, 0.7), part(picture, 0.3, 0.2, 0.6)]);
  const described = (picture: Picture, side: 'query' | 'reference', i: number): Uint8Array => {
    const dna = describe(picture, side);
    const vector = Float32Array.from({ length: network.length }, (_, axis) => Math.sin(1 + axis + 0.1 * i));
    return isByNetwork ? writeNetworkDna(network, dna, signedBytes(vector)!) : dna;
  };
  return {
    references: [...whole, ...parts].map((picture, i) => described(picture, 'reference', i)),
    queries: [...whole, ...parts.slice(0, 6)].map((picture, i) =>
      described(picture, type === 'brand-monitoring' ? 'reference' : 'query', i),
    ),
  };
}

function part({ width, height, rgb }: Pixels, left: number, top: number, share: number): Picture {
  const [x, y, w, h] = [left * width, top * height, share * width, share * height].map(Math.floor) as [
    number,
    number,
    number,
    number,
  ];
  const cut = new Uint8Array(3 * w * h);
  for (let row = 0; row < h; row++) {
    const from = 3 * ((y + row) * width + x);
    cut.set(rgb.subarray(from, from + 3 * w), 3 * w * row);
  }
  return { width: w, height: h, originalWidth: w, originalHeight: h, rgb: cut };
}

const keywords = ['red', 'rot é', 'large', '😀'];
const names = ['a', 'B', 'ä', '😀', '～', 'é', 'zz', 'Z'];

/** Rounds of 5 additions, 2 deletions and 9 reads for each type; `ROUNDS=50` for a long run. */
const cases: readonly { type: ApplicationType; usual: number; isByNetwork?: boolean }[] = [
  { type: 'media-matching', usual: 4 },
  { type: 'mobile-matching', usual: 1 },
  { type: 'brand-monitoring', usual: 2 },
  { type: 'image-similarity', usual: 6 },
  { type: 'image-similarity', usual: 6, isByNetwork: true },
  { type: 'color-similarity', usual: 6 },
];

for (const { type, usual, isByNetwork = false } of cases) {
  test(
    `${type}${isByNetwork ? ' by a network' : ''}: a data folder, one node and three nodes answer the same bytes (seed ${SEED})`,
    { skip },
    async (t) => {
      const own = isByNetwork ? network : undefined;
      const backends = await Promise.all([
        openEmbedded(type, own),
        openClustered('one node', `${one}/backends`, type, 1, own),
        openClustered('three nodes, three shards', three.map((url) => `${url}/backends`).join(), type, 3, own),
      ]);
      t.after(() => Promise.all(backends.map((backend) => backend.close())));
      const { references, queries } = material(type, isByNetwork);
      const random = generator(SEED);
      const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

      async function same(what: string, call: (references: References) => Promise<unknown>): Promise<string> {
        const [expected, ...others] = await Promise.all(backends.map((backend) => bytesOf(call(backend.references))));
        for (const [i, answer] of others.entries()) assert.equal(answer, expected, `${what}: ${backends[i + 1]!.name}`);
        return expected!;
      }

      const present = new Set<string>();
      const restriction = (): Restriction => ({
        keywords: keywords.filter(() => random() < 0.15),
        ids: random() < 0.3 ? [...present, 'nobody'].filter(() => random() < 0.5) : null,
        ranges: random() < 0.3 ? [termOf({ path: 'year', comparison: '>=', value: 2 }) as TermRange] : [],
      });
      const page = () => ({ start: Math.floor(random() ** 2 * 12), count: Math.floor(random() * 6) });
      let matches = 0;
      const count = Number(process.env['ROUNDS'] ?? usual);
      for (let round = 0; round < count; round++) {
        for (let i = 0; i < 5; i++) {
          const id = `${of(names)}${Math.floor(random() * 12)}`;
          const dna = of(references);
          const thumbnail = random() < 0.5 ? Uint8Array.of(round, i, 255) : undefined;
          const details = random() < 0.5 && { metadata: { year: Math.floor(4 * random()), by: 'rot é' } };
          const own = keywords.filter(() => random() < 0.4).reverse();
          const added = await same(`add ${id}`, (each) =>
            each.add({ id, keywords: own, dna, ...(thumbnail && { thumbnail }), ...(details && { details }) }),
          );
          assert.equal(added, present.has(id) ? `${errorCodes.IMAGE_EXISTS}` : 'null');
          present.add(id);
        }
        for (let i = 0; i < 2; i++) {
          const id = random() < 0.8 ? of([...present]) : 'nobody';
          await same(`delete ${id}`, (each) => each.delete(id));
          present.delete(id);
        }
        const changed = random() < 0.8 ? of([...present]) : 'nobody';
        const other = keywords.filter(() => random() < 0.4);
        await same(`keywords of ${changed}`, (each) => each.change(changed, { keywords: other }));
        const metadata = random() < 0.5 ? { year: 2, of: [1, { b: null }] } : undefined;
        await same(`metadata of ${changed}`, (each) => each.change(changed, { metadata }));
        const id = random() < 0.9 ? of([...present]) : 'nobody';
        const [dna, selected, window, after] = [
          of(queries),
          restriction(),
          page(),
          random() < 0.3 ? of(names) : undefined,
        ];
        const search = {
          dna,
          restriction: selected,
          page: window,
          below: of([1, 1, 0.3]),
          colorWeight: of([0, 0.3, 0.5, 1]),
        };
        await same('count', (each) => each.count());
        await same('has', (each) => each.has(id));
        await same('image', (each) => each.image(id));
        await same('metadata', async (each) => [...(await each.metadata([...present, 'nobody']))]);
        await same('dna', async (each) => Buffer.from(await each.dna(id)).toString('hex'));
        await same('thumbnail', async (each) => Buffer.from((await each.thumbnail(id)) ?? []).toString('hex'));
        await same('list', (each) => each.list(selected, window, after));
        await same('latest', (each) => each.latest(selected, window));
        await same('present', async (each) => [...(await each.present([id, 'nobody', ...names]))].sort());
        await same('a folded page of a search', (references) => {
          const list = (page: Page) => references.search({ ...search, page });
          return foldedPage(
            { references, originsOf: async () => new Map(), apartFrom: async () => new Set() },
            search,
            list,
          );
        });
        await same('explain', (each) => each.explain(dna, id));
        await same('a page of a search', (each) => each.search(search));
        const { colors } = typeDefinitions[type];
        if (colors) {
          const wanted = colors.of(dna).slice(0, 2);
          await same('a palette', (each) => each.palette(selected, round % 2 === 0 ? [] : [wanted[0]!.rgb]));
          await same('a search by colours', (each) => each.search({ ...search, dna: colors.asQuery(wanted) }));
        }
        const itself = of([...present]);
        const byId = { ...search, first: itself, below: 1, page: { start: 0, count: 100 } };
        const found = await same('a search by id', async (each) =>
          each.search({ ...byId, dna: await each.dna(itself), restriction: { keywords: [], ids: null } }),
        );
        if (type !== 'mobile-matching') assert.equal((JSON.parse(found) as Matches).images[0]!.id, itself);
        const whole = { ...search, restriction: { keywords: [], ids: null }, page: { start: 0, count: 100 }, below: 1 };
        matches += (JSON.parse(await same('a whole search', (each) => each.search(whole))) as { found: number }).found;
      }
      if (type === 'media-matching') assert.ok(matches > 2, `only ${matches} matches were compared`);
      assert.equal(await backends[2].references.count(), present.size);
    },
  );
}

/** The JSON of an answer, or the code of a failure. */
async function bytesOf(answer: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify((await answer) ?? null);
  } catch (cause) {
    if (cause instanceof Failure) return String(cause.code);
    throw cause;
  }
}

/** Numbers in [0, 1) by a linear congruential generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
