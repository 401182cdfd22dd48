// Makes docs/pictures/ from fixtures/: what a service of its own answers about the samples, drawn on them. `node scripts/doc-pictures.mjs`
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { formOf } from '../client/dist/form.js';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '../server/dist/index.js';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const sample = (number) => readFileSync(at(`fixtures/samples/kodim${number}.jpg`));
const edited = (name) => readFileSync(at(`fixtures/edited/${name}.jpg`));
const HEIGHT = 260;
const GAP = 16;

mkdirSync(at('docs/pictures'), { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'sosia-pictures-'));
const store = openApplicationStore(data);
const flags = { data, modify_port: '0', query_port: '0', stop_grace: '0' };
const server = await startServer(readConfig({ flags }), createLog('warn'));
try {
  await mediaMatching();
  await fineComparison();
  await mobileMatching();
  await brandMonitoring();
  await imageSimilarity();
  await colorSimilarity();
} finally {
  await server.close();
  store.close();
  rmSync(data, { recursive: true });
}

async function mediaMatching() {
  const key = await filled('media-matching');
  const query = edited('kodim15-pasted');
  const answer = await ask('query', 'SearchImageByUpload', { application_key: key, image_content: query });
  const found = answer.images.find(({ id }) => id === 'kodim15.jpg');
  const info = JSON.parse(found.result_info);
  await strip('media-matching', [
    await framed(query, corners(info.query.matchingBox, info.query.resizedDimensions)),
    await framed(sample('15'), corners(info.reference.matchingBox, info.reference.resizedDimensions)),
  ]);
}

async function fineComparison() {
  const key = application('media-matching');
  const reference = sample('20');
  const sticker = await sharp({ create: { width: 70, height: 46, channels: 3, background: '#b02a30' } })
    .png()
    .toBuffer();
  const changed = await sharp(reference)
    .composite([{ input: sticker, left: 320, top: 230 }])
    .jpeg({ quality: 70 })
    .toBuffer();
  const files = { application_key: key, reference_image: reference, query_image: changed };
  const { ref_image, query_image } = await ask('query', 'FineComparison', files);
  await strip('fine-comparison', [Buffer.from(ref_image, 'base64'), Buffer.from(query_image, 'base64')]);
}

async function mobileMatching() {
  const key = await filled('mobile-matching');
  const query = edited('kodim23-rotated');
  const { images } = await ask('query', 'SearchImageByUpload', { application_key: key, image_content: query });
  const info = JSON.parse(images[0].result_info);
  await strip('mobile-matching', [
    await framed(query, info.query.matchingBox.points),
    await framed(sample('23'), info.reference.matchingBox.points),
  ]);
}

async function brandMonitoring() {
  const key = application('brand-monitoring');
  const emblem = await sharp(sample('05')).extract({ left: 250, top: 150, width: 220, height: 160 }).jpeg().toBuffer();
  await ask('modify', 'AddImage', { application_key: key, image_id: 'emblem.jpg', image_content: emblem });
  const small = async (width, degrees) =>
    sharp(await sharp(emblem).resize(width).png().toBuffer())
      .rotate(degrees, { background: '#00000000' })
      .png()
      .toBuffer();
  const scene = await sharp(sample('13'))
    .composite([
      { input: await small(130, 8), left: 40, top: 60 },
      { input: await small(100, -14), left: 330, top: 250 },
    ])
    .jpeg({ quality: 80 })
    .toBuffer();
  const { images } = await ask('query', 'SearchImageByUpload', { application_key: key, image_content: scene });
  const info = JSON.parse(images[0].result_info);
  const boxes = [info.query.matchingBox, ...(info.instances ?? [])].map(({ points }) => points);
  await strip('brand-monitoring', [await framed(scene, ...boxes), emblem]);
}

async function imageSimilarity() {
  const key = await filled('image-similarity');
  const query = { application_key: key, image_content: sample('20'), nb_results: '4' };
  const { images } = await ask('query', 'SearchImageByUpload', query);
  await strip('image-similarity', [sample('20'), ...images.slice(1).map(({ id }) => sample(id.slice(5, 7)))], 170);
}

async function colorSimilarity() {
  const key = await filled('color-similarity');
  const colors = ['a03020@25', 'f0f0f0@25'];
  const { images } = await ask('query', 'SearchImageByColors', { application_key: key, colors, nb_results: '3' });
  const swatch = sharp({ create: { width: 90, height: 170, channels: 3, background: '#f0f0f0' } });
  const half = { create: { width: 90, height: 85, channels: 3, background: '#a03020' } };
  const query = await swatch
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
  await strip('color-similarity', [query, ...images.map(({ id }) => sample(id.slice(5, 7)))], 170);
}

function application(type) {
  return createApplication(store, { type, name: type }).key;
}

async function filled(type) {
  const application_key = application(type);
  for (const name of readdirSync(at('fixtures/samples')).filter((each) => each.endsWith('.jpg'))) {
    const image_content = readFileSync(at(`fixtures/samples/${name}`));
    await ask('modify', 'AddImage', { application_key, image_id: name, image_content });
  }
  return application_key;
}

async function ask(family, operation, values) {
  const port = family === 'modify' ? server.modifyPort : server.queryPort;
  const url = `http://127.0.0.1:${port}/api/v2.0/engine${family}/json/${operation}`;
  const answer = await (await fetch(url, { method: 'POST', body: formOf(values) })).json();
  if (answer.status.code !== 0) throw new Error(`${operation}: ${answer.status.message}`);
  return answer;
}

/** Four corners as fractions, from an upright box in pixels or fractions. */
function corners({ topLeftPoint: [x0, y0], bottomRightPoint: [x1, y1] }, [width, height]) {
  const [w, h] = x1 > 1 || y1 > 1 ? [width, height] : [1, 1];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ].map(([x, y]) => [x / w, y / h]);
}

/** The picture with four-cornered boxes on it, given as fractions. */
async function framed(picture, ...boxes) {
  const { width, height } = await sharp(picture).metadata();
  const line = Math.max(3, width / 150);
  const shapes = boxes.map((points) => {
    const path = points.map(([x, y]) => `${x * width},${y * height}`).join(' ');
    return `<polygon points="${path}" fill="none" stroke="white" stroke-width="${2 * line}"/><polygon points="${path}" fill="none" stroke="#d2500f" stroke-width="${line}"/>`;
  });
  const drawing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`,
  );
  return sharp(picture)
    .composite([{ input: drawing, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** Pictures side by side at one height, on white. */
async function strip(name, pictures, height = HEIGHT) {
  const placed = [];
  let left = 0;
  for (const picture of pictures) {
    const { data, info } = await sharp(picture).resize({ height }).png().toBuffer({ resolveWithObject: true });
    placed.push({ input: data, left, top: 0 });
    left += info.width + GAP;
  }
  const canvas = sharp({ create: { width: left - GAP, height, channels: 3, background: 'white' } });
  await canvas
    .composite(placed)
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(at(`docs/pictures/${name}.jpg`));
}
