/** The decode child: the only process in which native code reads foreign bytes. */
import { compare, fileTraces, pairEdits, pdq, type Picture, PlainPictureError, typeDefinitions } from '@sosia/engine';
import sharp from 'sharp';
import { fail } from '../errors.ts';
import { restrictCodecs } from './codecs.ts';
import { serveConfined, type Reply } from '../workers/serve-child.ts';
import { decodePicture, decodeTwoSizes } from './decode.ts';
import { LARGEST_FILE, THUMBNAIL } from './limits.ts';
import type { DecodeTask } from './protocol.ts';
import { storedPartOf } from './stored-part.ts';
import { thumbnailOf } from './thumbnail.ts';

/** Pictures over this are reduced while decoding, unless a type uses more; types reduce further themselves. */
const DECODED_SIDE = 1024;
/** The same for pictures that are compared, and so the size they are sent back at, and for PDQ. */
const COMPARED_SIDE = 2048;

restrictCodecs();
await serveConfined(2 * LARGEST_FILE, (task, file) => run(task as DecodeTask, file).catch(asFailure));

async function run(task: DecodeTask, file: Uint8Array): Promise<Reply> {
  if (task.kind === 'decode') {
    const { rgb, ...size } = await decodePicture(file, task.longestSide);
    return { head: { done: 'decode', size }, body: rgb };
  }
  if (task.kind === 'pdq') {
    const { hash, quality } = pdq(await decodePicture(file, COMPARED_SIDE));
    return { head: { done: 'pdq', quality }, body: hash };
  }
  if (task.kind === 'compare') return comparison(file, task.referenceBytes);
  if (task.kind === 'edits') {
    const first = await decodePicture(file.subarray(0, task.firstBytes), THUMBNAIL.side);
    const second = await decodePicture(file.subarray(task.firstBytes), THUMBNAIL.side);
    return { head: { done: 'edits', edits: pairEdits(first, second, task.map) }, body: new Uint8Array() };
  }
  const definition = typeDefinitions[task.type];
  const longestSide = Math.max(DECODED_SIDE, definition.workingSize);
  const { transparency } = definition;
  if (task.kind === 'describe') {
    const picture = await decodePicture(file, longestSide, transparency);
    return { head: { done: 'describe' }, body: definition.describe(picture, task.side, task.options) };
  }
  const most = Math.max(COMPARED_SIDE, longestSide);
  const { picture, larger } = task.hashed
    ? await decodeTwoSizes(file, longestSide, most, transparency)
    : { picture: await decodePicture(file, longestSide, transparency) };
  const hashed = larger && pdq(larger);
  const dna = definition.describe(picture, 'reference', task.options);
  const part = definition.traits.symmetric ? await storedPartOf(file, larger ?? picture) : undefined;
  const traces = part && { traces: fileTraces(part) };
  const head = { done: 'keep', dnaBytes: dna.length, ...traces, ...(hashed && { quality: hashed.quality }) };
  return { head, body: Buffer.concat([dna, hashed?.hash ?? new Uint8Array(), await thumbnailOf(picture)]) };
}

async function comparison(files: Uint8Array, referenceBytes: number): Promise<Reply> {
  const reference = await decodePicture(files.subarray(0, referenceBytes), COMPARED_SIDE);
  const query = await decodePicture(files.subarray(referenceBytes), COMPARED_SIDE);
  const compared = compare(reference, query);
  if (!compared)
    throw fail('NOT_ALIGNED', 'expected two pictures of the same thing, got two that have nothing in common');
  const { score, regions, strips, homography } = compared;
  const jpegs = [await jpegOf(compared.reference), await jpegOf(compared.query)];
  const head = { done: 'compare', compared: { score, regions, strips, homography, referenceBytes: jpegs[0]!.length } };
  return { head, body: Buffer.concat(jpegs) };
}

function jpegOf({ width, height, rgb }: Picture): Promise<Buffer> {
  const picture = sharp(rgb, { raw: { width, height, channels: 3 } });
  return picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(); // thin lines in colour
}

function asFailure(cause: unknown): never {
  throw cause instanceof PlainPictureError ? fail('NOT_ENOUGH_INFORMATION', cause.message) : cause;
}
