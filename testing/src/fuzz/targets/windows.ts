import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { ApplicationType } from '@sosia/engine';
import { writePalette } from '@sosia/engine/dna/palette';
import { writeSimilarityDna } from '@sosia/engine/dna/similarity';
import { createApplication, Decoder, Failure, openApplicationStore, openImageStore, operations } from '@sosia/server';
import type { Application } from '@sosia/server/applications/application';
import { Applications } from '@sosia/server/applications/applications';
import { EmbeddedBackend } from '@sosia/server/applications/embedded-backend';
import { Profiles } from '@sosia/server/applications/profiles';
import { OnnxRunner } from '@sosia/server/onnx/onnx-runner';
import { RawParameters } from '@sosia/server/parameters/raw-parameters';
import { Shards } from '@sosia/server/shards/shards';
import { Choices } from '../choices.ts';
import { scratchFolder } from '../scratch.ts';
import type { Target } from '../target.ts';

const types: readonly ApplicationType[] = ['color-similarity', 'image-similarity'];
const ids = [
  'a',
  'b',
  'A',
  'é',
  '🙂',
  '\ufffd',
  '__proto__',
  'a/b',
  '%41',
  '+',
  ' ',
  '10',
  '9',
  'a&b=c',
  'z'.repeat(255),
];
const keywords = ['k', 'l', 'K', 'constructor', '🙂'];
/** Few colours, so that many pictures have the same score. */
const colours = [0xff0000, 0xfe0000, 0x00ff00, 0x0000ff, 0xffffff];

interface Kept {
  readonly id: string;
  readonly keywords: readonly string[];
}

/** An input is a list of choices: pictures that are added and deleted, then windows on the results. */
export const windows: Target = {
  name: 'windows',
  covers:
    /server\/dist\/(applications\/(catalogue\/[\w-]+|embedded-references)|operations\/(search|list-images)|shards\/[\w-]+|parameters\/\w+)\.js$/,
  limit: 4000,

  async open() {
    const folder = scratchFolder();
    const images = await openImageStore(folder);
    const store = openApplicationStore(folder);
    const lost = (cause: Error): never => {
      throw cause;
    };
    const shards = new Shards(2, lost);
    const decoder = await Decoder.start({ children: 1 });
    const rooms = { decoder, onnx: new OnnxRunner(), profiles: new Profiles(store, folder) };
    const applications = new Applications(
      new EmbeddedBackend(store, { images, shards }),
      rooms,
      lost as (cause: unknown) => void,
    );
    await applications.load(() => {});
    const seeds = [1, 3, 7, 31].map((step) =>
      Uint8Array.from({ length: 200 }, (_, i) => (i * step * 11 + (i >> 3)) & 255),
    );
    return {
      seeds,
      async run(input) {
        const choices = new Choices(input);
        const { key, record } = createApplication(store, { type: choices.of(types), name: 'fuzzed' });
        try {
          return await walk(applications.find(key)!, choices);
        } finally {
          store.delete(record.number);
          applications.find(key); // so that it leaves the index
        }
      },
      async close() {
        await decoder.close();
        await shards.close();
        await images.close();
        store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

async function walk(application: Application, choices: Choices): Promise<string> {
  const kept = new Map<string, Kept>();
  for (let steps = choices.below(24); steps > 0; steps--) {
    const id = choices.of(ids);
    if (choices.oneIn(5)) {
      const code = await codeOf(ask(application, 'DeleteImage', { image_id: [id] }));
      assert.equal(code, kept.has(id) ? 0 : 'IMAGE_NOT_FOUND');
      kept.delete(id);
    } else {
      const own = keywords.filter(() => choices.oneIn(2));
      const dna = Buffer.from(someDna(application.type, choices)).toString('base64');
      const code = await codeOf(ask(application, 'AddImage', { image_id: [id], dna: [dna], keywords: own }));
      assert.equal(code, kept.has(id) ? 'IMAGE_EXISTS' : 0);
      if (code !== 0) continue;
      kept.set(id, { id, keywords: own });
      const again = (await ask(application, 'GetDnaById', { image_id: [id] })) as { dna: { dna: string } };
      assert.equal(again.dna.dna, dna, 'expected the DNA as it was added');
    }
  }
  assert.equal(await application.references.count(), kept.size);

  const query = Buffer.from(someDna(application.type, choices)).toString('base64');
  const searches: [name: string, values: Values][] = [
    ['SearchImageByDna', { dna: [query] }],
    ['ListImages', {}],
    ...(application.type === 'color-similarity'
      ? ([['SearchImageByColors', { colors: [`${hex(choices.of(colours))}@${choices.below(101)}`] }]] as [
          string,
          Values,
        ][])
      : []),
  ];
  let windows = 0;
  for (const [name, values] of searches) {
    const whole = await page(application, name, { ...values, nb_results: ['1000'] });
    assertOrdered(whole.images, name);
    if (name === 'ListImages') assert.equal(whole.found, kept.size);
    for (let n = 1 + choices.below(4); n > 0; n--, windows++) {
      const window = someWindow(choices);
      const expected = whole.images.filter(({ id }) => admitted(kept.get(id)!, window));
      const [start, count] = [Number(window.starting_index?.[0] ?? 0), Number(window.nb_results?.[0] ?? 10)];
      const got = await page(application, name, { ...values, ...window });
      assert.deepEqual(got, { found: expected.length, images: expected.slice(start, start + count) }, name);
    }
    await assertPagesMakeWhole(application, name, values, whole.images, 1 + choices.below(7));
  }
  return `${kept.size} ${windows}`;
}

type Values = Readonly<Record<string, readonly string[]>>;

async function ask(application: Application, name: string, values: Values): Promise<object> {
  const raw = new RawParameters();
  for (const [name, texts] of Object.entries(values)) for (const text of texts) raw.addText(name, text, 'body');
  return operations.find((each) => each.name === name)!.run(application, raw);
}

async function codeOf(work: Promise<unknown>): Promise<string | 0> {
  try {
    await work;
    return 0;
  } catch (cause) {
    if (cause instanceof Failure) return cause.error;
    throw cause;
  }
}

interface Shown {
  readonly id: string;
  readonly score: number;
}

async function page(application: Application, name: string, values: Values) {
  const answer = (await ask(application, name, values)) as { nb_results_found: number; images: Shown[] };
  return { found: answer.nb_results_found, images: answer.images.map(({ id, score }) => ({ id, score })) };
}

/** Best first, ties by the bytes of the id, no picture twice. */
function assertOrdered(images: readonly Shown[], name: string): void {
  images.forEach((image, i) => {
    const before = images[i - 1];
    if (!before) return;
    const order = before.score - image.score || Buffer.compare(Buffer.from(before.id), Buffer.from(image.id));
    assert.ok(order < 0, `${name}: expected ${before.id} (${before.score}) behind ${image.id} (${image.score})`);
  });
}

async function assertPagesMakeWhole(
  application: Application,
  name: string,
  values: Values,
  whole: readonly Shown[],
  size: number,
): Promise<void> {
  const joined: Shown[] = [];
  for (let start = 0; start <= whole.length; start += size) {
    const window = { starting_index: [String(start)], nb_results: [String(size)] };
    const { found, images } = await page(application, name, { ...values, ...window });
    assert.equal(found, whole.length, name);
    joined.push(...images);
  }
  assert.deepEqual(joined, whole, `${name}: expected pages of ${size} to make the whole`);
}

interface Window extends Values {
  readonly starting_index?: string[];
  readonly nb_results?: string[];
  readonly ids_list?: string[];
  readonly keywords?: string[];
}

function someWindow(choices: Choices): Window {
  const start = choices.of(['0', '1', '2', '5', '999999999', '']);
  const count = choices.of(['0', '1', '2', '7', '1000', '']);
  const listed = choices.oneIn(2) ? [...ids, 'nobody'].filter(() => choices.oneIn(2)) : [];
  const wanted = choices.oneIn(2) ? [choices.of([...keywords, 'unused'])] : [];
  return {
    ...(start !== '' && { starting_index: [start] }),
    ...(count !== '' && { nb_results: [count] }),
    ...(listed.length > 0 && { ids_list: [listed.join(';') + (choices.oneIn(3) ? ';' : '')] }),
    ...(wanted.length > 0 && { keywords: choices.oneIn(3) ? [...wanted, keywords[0]!] : wanted }),
  };
}

function admitted({ id, keywords }: Kept, window: Window): boolean {
  const listed = window.ids_list?.[0]?.split(';') ?? [id];
  return listed.includes(id) && (window.keywords ?? []).every((keyword) => keywords.includes(keyword));
}

function someDna(type: ApplicationType, choices: Choices): Uint8Array {
  if (type === 'color-similarity') {
    const used = colours.filter(() => choices.oneIn(2)).slice(0, 3);
    return writePalette(
      'palette',
      (used.length > 0 ? used : [colours[0]!]).map((rgb) => ({ rgb, share: 1 + choices.below(33) })),
    );
  }
  const [shape, colouring] = [choices.below(4), choices.below(4)];
  return writeSimilarityDna(
    new Int8Array(192).fill(1 + shape),
    new Uint8Array(160).map((_, i) => (i < 100 ? colouring : 0)),
  );
}

function hex(rgb: number): string {
  return rgb.toString(16).padStart(6, '0');
}
