import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  applicationTypes,
  SynchronousPartition,
  DnaError,
  typeDefinitions,
  type ApplicationType,
  type Color,
  type TypeDefinition,
  type Side,
} from '@sosia/engine';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { keypointsOf, localKinds, openLocalDna, writeLocalDna } from '@sosia/engine/dna/local';
import { openSimilarityDna, writeSimilarityDna } from '@sosia/engine/dna/similarity';
import { isColorsQuery, openPalette, writePalette } from '@sosia/engine/dna/palette';
import { goldenFolder, readPicture } from '@sosia/fixtures';
import { oneOf, type Random } from '../../pictures/random.ts';
import { below, mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const sides: readonly Side[] = ['reference', 'query'];
/** One byte before the DNA: twice the number of the application type, plus 1 for a query. */
const HEADER = 1;
/** One of so many accepted blocks is searched with, which takes longer than to read it. */
const SEARCHED = 4;

interface Known {
  readonly definition: TypeDefinition;
  /** DNA of two sound pictures. */
  readonly references: readonly Uint8Array[];
  readonly queries: readonly Uint8Array[];
}

/** DNA from clients, of all application types and both sides: what is accepted is canonical and does no harm in an index. */
export const dna: Target = {
  name: 'dna',
  covers: /engine\/dist\/src\/(dna\/\w+|local\/local-partition|partition\/scan-partition)\.js$/,
  limit: 2000,

  async open() {
    const known = new Map(applicationTypes.map((type) => [type, describe(typeDefinitions[type])]));
    const seeds = [...known].flatMap(([type, { references, queries }]) => [
      ...references.map((block) => labelled(type, 'reference', block)),
      ...queries.map((block) => labelled(type, 'query', block)),
    ]);
    seeds.push(
      ...goldenBlocks(),
      labelled('color-similarity', 'query', writePalette('colors-query', [{ rgb: 255, share: 0 }])),
    );
    return { seeds, mutate, run: (input) => check(input, known) };
  },
};

function describe(definition: TypeDefinition): Known {
  const pictures = (['kodim05', 'kodim19'] as const).map((name) => {
    const { width, height, rgb } = readPicture(name);
    return { width, height, rgb, originalWidth: width, originalHeight: height };
  });
  const all = (side: Side) => pictures.map((picture) => definition.describe(picture, side));
  return { definition, references: all('reference'), queries: all('query') };
}

/** The recorded DNA. */
function goldenBlocks(): Uint8Array[] {
  const files = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.dna'),
  );
  return files.flatMap((name) => {
    const block = readFileSync(join(goldenFolder, name));
    const type = name.startsWith('dna')
      ? 'media-matching'
      : name.startsWith('similarity')
        ? 'image-similarity'
        : 'color-similarity';
    return labelled(type, name.endsWith('query.dna') ? 'query' : 'reference', block);
  });
}

function labelled(type: ApplicationType, side: Side, block: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(2 * applicationTypes.indexOf(type) + sides.indexOf(side)), block]);
}

function check(input: Uint8Array, all: ReadonlyMap<ApplicationType, Known>): string {
  if (input.length < HEADER) return 'nothing';
  const type = applicationTypes[(input[0]! >> 1) % applicationTypes.length]!;
  const side = sides[input[0]! % 2]!;
  const block = Uint8Array.from(input.subarray(HEADER));
  const { definition, references, queries } = all.get(type)!;
  try {
    definition.checkDna(block, side);
  } catch (cause) {
    if (!(cause instanceof DnaError)) throw cause;
    return `${type} ${cause.message.replace(/\d+/g, '#').slice(0, 40)}`;
  }
  if (type === 'filter') return 'filter accepted'; // pixels summed up, every block of the right length is one
  assert.ok(
    Buffer.compare(rewritten(block), block) === 0,
    'expected a DNA that is accepted to be written again in the same bytes',
  );

  if (block[block.length - 1]! % SEARCHED === 0) {
    if (side === 'reference') search(definition, [block, ...references], queries);
    else search(definition, references, [block]);
  }
  return `${type} accepted as ${side}`;
}

/** The bytes that the engine itself would write for what a block says. */
function rewritten(block: Uint8Array): Uint8Array {
  if (block[2]! < localKinds.length) {
    const { kind, originalWidth, originalHeight, core, codes, miniature, ...rest } = openLocalDna(block, localKinds);
    const { x, y, angle, level } = keypointsOf(rest);
    const features = Array.from(angle, (_, i) => ({
      core: i < core,
      x: x[i]!,
      y: y[i]!,
      angle: angle[i]!,
      level: level[i]!,
      code: codes.subarray(32 * i, 32 * i + 32),
    }));
    return writeLocalDna(kind, originalWidth, originalHeight, features, miniature);
  }
  if (block[2] === 16) {
    const payload = openSimilarityDna(block);
    return writeSimilarityDna(Int8Array.from(payload.subarray(0, 192)), payload.subarray(192));
  }
  const colors = openPalette(block, true);
  if (!isColorsQuery(block)) assertPalette(colors);
  return writePalette(isColorsQuery(block) ? 'colors-query' : 'palette', colors);
}

/** What writing does not show: a picture has no colour twice and no more than all of it filled. */
function assertPalette(colors: readonly Color[]): void {
  const sum = colors.reduce((total, { share }) => total + share, 0);
  const different = new Set(colors.map(({ rgb }) => rgb)).size;
  assert.ok(
    sum <= 100 && different === colors.length,
    `${colors.length} colours, ${different} different, fill ${sum} %`,
  );
}

function search(definition: TypeDefinition, references: readonly Uint8Array[], queries: readonly Uint8Array[]): void {
  const partition = SynchronousPartition.of(definition);
  references.forEach((reference, i) => partition.add(i + 1, reference));
  const numbers = references.map((_, i) => i + 1);
  for (const query of queries) {
    const { copies, images } = partition.candidates(query, null, 10);
    for (const image of [...copies, ...images]) assert.ok(numbers.includes(image), `candidate ${image}`);
    const { verdicts } = partition.verify(query, numbers);
    for (const { image, score, resultInfo } of verdicts) {
      assert.ok(numbers.includes(image), `verdict on picture ${image}`);
      assert.ok(score >= 0 && score < 1, `expected a score in [0, 1), got ${score}`);
      assertFinite(resultInfo);
    }
    const ranking = definition.exhaustive && partition.rank(query, null, { below: 1, most: 10 });
    for (const score of ranking ? ranking.scores : []) assert.ok(score >= 0 && score < 1, `a score of ${score}`);
    if (ranking) assert.equal(ranking.found, verdicts.length, 'expected as many to count as match');
  }
  for (const number of numbers) partition.remove(number);
  assert.equal(partition.count, 0);
}

/** JSON would write null for a number that is not finite. */
function assertFinite(value: unknown): void {
  if (typeof value === 'number')
    assert.ok(Number.isFinite(value), `expected finite numbers in result_info, got ${value}`);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(assertFinite);
}

function mutate(input: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  if (input.length < HEADER + 8 || random() < 0.1) return mutated(input, random, others, { longest: 100_000 });
  const label = random() < 0.05 ? below(random, 2 * applicationTypes.length) : input[0]!;
  const block = input.subarray(HEADER);
  const changed =
    block[2]! < localKinds.length && random() < 0.7
      ? changeFeatures(block, random)
      : changeBytes(block, random, others);
  const whole = random() < 0.95 ? sealed(changed) : changed;
  return Buffer.concat([Uint8Array.of(label), whole]);
}

function changeBytes(block: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  const payloads = others.map((other) => other.subarray(HEADER, -4));
  if ((block[2] === 17 || block[2] === 18) && random() < 0.5) return changeColors(block, random);
  const changed = mutated(block.subarray(0, -4), random, payloads, { longest: 90_000 });
  return Buffer.concat([changed, new Uint8Array(4)]);
}

/** Another list of colours, in order of their shares in most cases. */
function changeColors(block: Uint8Array, random: Random): Uint8Array {
  const colors = Array.from({ length: 1 + below(random, 6) }, () => [
    ...[0, 0, 0].map(() => oneOf(random, [0, 128, 255])),
    below(random, 60),
  ]);
  if (random() < 0.8) colors.sort((a, b) => b[3]! - a[3]! || Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Buffer.concat([block.subarray(0, 4), Uint8Array.from(colors.flat()), new Uint8Array(4)]);
}

/** A local DNA with features moved, exchanged, doubled or left out; the count is made right in most cases. */
function changeFeatures(block: Uint8Array, random: Random): Uint8Array {
  const [start, code, keypoint] = [16, 32, 6];
  const held = Math.floor((block.length - start - 4) / (code + keypoint));
  const n = Math.min(held, Buffer.from(block.subarray(4, 6)).readUInt16LE());
  const miniature = block.subarray(start + n * (code + keypoint), -4);
  const header = Buffer.from(block.subarray(0, start));
  const at = start + code * n;
  let features = Array.from({ length: n }, (_, i) => ({
    code: block.subarray(start + code * i, start + code * (i + 1)),
    keypoint: Buffer.from(block.subarray(at + keypoint * i, at + keypoint * (i + 1))),
  }));
  if (n === 0) return block;
  for (let changes = 1 + below(random, 3); changes > 0 && features.length > 0; changes--) {
    const i = below(random, features.length);
    const feature = features[i]!;
    const j = random() < 0.7 ? Math.min(features.length - 1, i + 1) : below(random, features.length);
    switch (below(random, 8)) {
      case 0:
        features.splice(i, 1 + below(random, 3));
        break;
      case 1:
        features.splice(i, 0, feature);
        break;
      case 2:
        [features[i], features[j]] = [features[j]!, feature];
        break;
      case 3:
        feature.keypoint[below(random, keypoint)] = below(random, 256);
        break;
      case 4:
        feature.keypoint.writeUInt16LE(oneOf(random, [0, 1, 0x7fff, 0xffff, 64 * 512]), 2 * below(random, 2));
        break;
      case 5:
        features = features.slice(0, 1 + below(random, features.length)); // an empty list is refused at once
        break;
      case 6:
        feature.code = features[j]!.code;
        break;
      default:
        features = features.map(({ keypoint }) => ({ code: feature.code, keypoint })); // all alike
    }
  }
  if (random() < 0.3) header.writeUInt16LE(below(random, 2000), 8 + 2 * below(random, 2));
  if (random() < 0.9) header.writeUInt16LE(features.length, 4);
  if (random() < 0.6)
    header.writeUInt16LE(header[2]! % 2 === 0 ? features.length : below(random, features.length + 1), 6);
  return Buffer.concat([
    header,
    ...features.map((feature) => feature.code),
    ...features.map((feature) => feature.keypoint),
    miniature,
    new Uint8Array(4),
  ]);
}

/** With the checksum that fits. */
function sealed(block: Uint8Array): Uint8Array {
  const bytes = Buffer.from(block);
  if (bytes.length >= 4) bytes.writeUInt32LE(crc32c(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}
