// Writes the pictures from which training/src/decision.ts learns, all of the half that thresholds are chosen on.
//
//     node benchmarks/dist/decisions/training-sets.js FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attackedFile } from '@sosia/testing/pictures/attacked';
import { attackNamed, attacks } from '@sosia/testing/pictures/attacks';
import { hidingAttacks } from '@sosia/testing/pictures/hiding-attacks';
import { montage } from '@sosia/testing/pictures/mixed-attacks';
import { oneOf, randomFor, shuffled } from '@sosia/testing/pictures/random';
import { rasterOf, sharpOf } from '@sosia/testing/pictures/raster';
import { strongAttacks } from '@sosia/testing/pictures/strong-attacks';
import { framedTemplates, fromTemplate, templates } from '@sosia/testing/pictures/templates';
import sharp from 'sharp';
import { halfOf } from '../harness/halves.ts';
import { captionBy, inAnotherBand, under } from './captions.ts';
import { chains, copies, learned, order } from '../views/views.ts';
import { DOCUMENT, hard, pasted, picturesOf } from './kinds.ts';

/** A set of references and the queries that are searched among them. */
interface TrainingSet {
  readonly references: readonly string[];
  readonly queries: readonly Query[];
}

interface Query {
  readonly path: string;
  readonly kind: string;
  /** Numbers of the references that show. */
  readonly shown: readonly number[];
  /** Number of the reference that is this picture. */
  readonly self?: number;
}

const HALF = 'chosen on';
/** Templates of a kind, and further ones with a photograph; photographs under each strong attack and under each usual one. */
const [TEMPLATES, FURTHER_TEMPLATES, STRONG, USUAL] = [20, 40, 40, 8];
/** Templates and documents of a kind under hard edits. */
const HARD = 8;
const hardEdits = [...[...hard, ...pasted].map(attackNamed), ...hidingAttacks];
/** Captions, and pictures under each. */
const [CAPTIONS, PICTURES_OF_CAPTION] = [30, 4];
/** Of garments and posters, which are most of the pictures, every third one is searched. */
const PRODUCTS_SHARE = 3;
const REFERENCES = 300;
/** Other than those of the benchmark. */
const FURTHER_SEED = 10;

const folder = process.argv[2]!;
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'training-sets.json'),
  JSON.stringify([await lookAlikes(), await framed(), await captioned(), await attacked(), await further()]),
);

async function lookAlikes(): Promise<TrainingSet> {
  const { references, queries } = await picturesOf(HALF, TEMPLATES, folder);
  const searched = queries.filter(({ kind }, i) => !/^(film posters|garments)$/.test(kind) || i % PRODUCTS_SHARE === 0);
  const drawn = queries.filter(
    ({ kind, shows }) => shows === 'copy' && (kind in templates || kind.startsWith(DOCUMENT)),
  );
  const named = searched.map((query) => ({
    ...query,
    kind: query.shows === 'copy' ? `copy of ${query.kind}` : query.kind,
  }));
  return {
    references,
    queries: [...named, ...(await underHardEdits(drawn))].map(({ path, kind, own }) => ({
      path,
      kind,
      shown: own ? [references.indexOf(own)] : [],
      self: references.indexOf(path),
    })),
  };
}

/** Of each kind of templates and documents some, each under a hard edit by chance. */
async function underHardEdits(
  copies: readonly { kind: string; own?: string }[],
): Promise<{ kind: string; path: string; own: string }[]> {
  const hosts = halfOf(HALF, 'photos');
  const taken = new Map<string, number>();
  const queries = [];
  for (const { kind, own } of copies) {
    const count = taken.get(kind) ?? 0;
    if (!own || count === HARD) continue;
    taken.set(kind, count + 1);
    const random = randomFor('hard document', HALF, basename(own));
    const attack = oneOf(random, hardEdits);
    const host = await rasterOf(sharp(oneOf(random, hosts)));
    const path = join(folder, `${basename(own)} ${attack.name.replace('%', '')}`);
    const { picture } = await attack.apply(await rasterOf(sharp(own)), { random, host });
    await attack.encode(sharpOf(picture)).toFile(path);
    queries.push({ kind: `hard ${kind}`, path, own });
  }
  return queries;
}

/** Two photographs in each of further frames. */
async function framed(): Promise<TrainingSet> {
  const photographs = ['photos', 'photos_small', 'cats_dogs'].flatMap((name) => halfOf(HALF, name)).values();
  const drawn = async (kind: string, number: number, content: string): Promise<string> => {
    const picture = await rasterOf(sharp(photographs.next().value));
    const path = join(folder, `further ${kind} ${number} ${content}.png`);
    await sharpOf(await fromTemplate(kind, `further ${number}`, content, picture))
      .png()
      .toFile(path);
    return path;
  };
  const [references, queries]: [string[], Query[]] = [[], []];
  for (const kind of framedTemplates)
    for (let number = 0; number < FURTHER_TEMPLATES; number++) {
      references.push(await drawn(kind, number, 'a'));
      queries.push({ path: await drawn(kind, number, 'b'), kind: `further ${kind}`, shown: [] });
    }
  return { references, queries };
}

/** Two photographs and more under each of some captions over a part of them, and the photographs without it. */
async function captioned(): Promise<TrainingSet> {
  const photographs = shuffled(
    randomFor('captioned', HALF),
    ['photos', 'photos_small', 'posters', 'clothing'].flatMap((name) => halfOf(HALF, name)),
  ).values();
  const [references, queries]: [string[], Query[]] = [[], []];
  for (let number = 0; number < CAPTIONS; number++) {
    const random = randomFor('caption', number);
    const caption = captionBy(random);
    for (let i = 0; i < PICTURES_OF_CAPTION; i++) {
      const [original, other] = [photographs.next().value!, photographs.next().value!];
      const written = async (file: string, content: string, band = caption): Promise<string> => {
        const path = join(folder, `caption ${number} ${i} ${content}.jpg`);
        await (await under(band, file)).jpeg({ quality: 85 }).toFile(path);
        return path;
      };
      const shown = [references.length];
      references.push(await written(original, 'a'));
      queries.push({ path: await written(other, 'b'), kind: 'other picture under the caption', shown: [] });
      const inOther = await written(photographs.next().value!, 'c', inAnotherBand(caption, random));
      queries.push({ path: inOther, kind: 'other picture under the caption in another band', shown: [] });
      queries.push({ path: original, kind: 'picture without its caption', shown });
    }
  }
  return { references, queries };
}

/** Photographs under all attacks, and pictures that are no references. */
async function attacked(): Promise<TrainingSet> {
  const { references, others, own } = photographs();
  const strong = await copies(references, others, STRONG, folder, [...learned, montage, ...chains]);
  const queries: Query[] = strong.filter(({ half }) => half === 'chosen');
  for (const attack of attacks)
    for (const image of shuffled(randomFor('families', attack.name), own).slice(0, USUAL)) {
      const { path } = await attackedFile(references[image]!, attack, others, 0);
      queries.push({ path, kind: `usual ${attack.name}`, shown: [image] });
    }
  const negatives = ['posters', 'logos', 'cats_dogs'].flatMap((name) => order(name).slice(0, REFERENCES));
  for (const [i, path] of [...others, ...negatives].entries())
    if (i % 2 === 0) queries.push({ path, kind: 'negative', shown: [] });
  return { references, queries: queries.map(({ path, kind, shown }) => ({ path, kind, shown })) };
}

/** Other photographs under the attacks that hide most, and pictures that are no references under them. */
async function further(): Promise<TrainingSet> {
  const { references, others, own } = photographs();
  const hosts = others.filter((_, i) => i % 2 === 0);
  const queries: Query[] = [];
  const strips = strongAttacks.filter(({ name }) => /strips|meme/.test(name));
  for (const attack of [...chains, montage, ...hidingAttacks, ...strips])
    for (const image of shuffled(randomFor('more', attack.name, 0), own).slice(0, chains.includes(attack) ? 60 : 16)) {
      const { path } = await attackedFile(references[image]!, attack, hosts, FURTHER_SEED);
      queries.push({ path, kind: attack.name, shown: [image] });
    }
  const unknown = ['posters', 'logos', 'cats_dogs'].flatMap((name) => order(name).slice(REFERENCES));
  const paths = shuffled(randomFor('distractors', 'more'), unknown.concat(order('photos_small').slice(REFERENCES / 2)))
    .filter((_, i) => i % 2 === 0)
    .values();
  for (const attack of [...chains, ...hidingAttacks])
    for (let i = 0; i < 20; i++) {
      const { path } = await attackedFile(paths.next().value!, attack, hosts, FURTHER_SEED);
      queries.push({ path, kind: `${attack.name}, negative`, shown: [] });
    }
  return { references, queries };
}

function photographs() {
  const all = order('photos');
  const references = [...all.slice(0, REFERENCES), ...order('photos_small').slice(0, REFERENCES / 2)];
  return {
    references,
    others: all.slice(REFERENCES),
    own: [...references.keys()].slice(0, REFERENCES).filter((image) => image % 2 === 0),
  };
}
