// Trains the profiles that are shipped. Deterministic.
//
//     npm run build && node engine/data/profiles.mjs ../shared/corpora
//
// "photograph" learns from the training half of `styles` (photographs against sketches, cartoons and paintings), with
// photographs of other origins and pages drawn here, so that it does not take one collection for the kind;
// "document" from pages drawn here against the pictures of `styles`. It writes engine/data/profiles.bin, each block
// after its length.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { looksOf } from '../dist/profiles/looks.js';
import { writeProfile } from '../dist/profiles/profile.js';
import { train } from '../dist/profiles/training.js';

const corpora = process.argv[2];
const styles = `${corpora}/styles/train`;
/** Photographs of other origins: every so manieth of a folder. */
const others = [
  ['photos', 2],
  ['cats_dogs/train', 8],
  ['clothing/train', 20],
];
const PAGES = 160;

const byStyle = {};
for (const style of readdirSync(styles).sort()) {
  byStyle[style] = [];
  for (const file of readdirSync(`${styles}/${style}`).sort())
    byStyle[style].push(await looks(`${styles}/${style}/${file}`));
}
const { photo, ...drawn } = byStyle;
const elsewhere = [];
for (const [folder, step] of others) {
  const files = readdirSync(`${corpora}/${folder}`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.jpe?g$/i.test(name),
  );
  for (const file of files.sort().filter((_, i) => i % step === 0))
    elsewhere.push(await looks(`${corpora}/${folder}/${file}`));
}
const pages = [];
for (let number = 0; number < PAGES; number++) pages.push(await looks(await page(number)));

const blocks = [
  ['photograph', [...photo, ...elsewhere], [...Object.values(drawn).flat(), ...pages.slice(0, PAGES / 8)]],
  ['document', pages, Object.values(byStyle).flat()],
].map(([name, positives, negatives]) => {
  const { profile, report } = train(name, positives, negatives);
  console.log(
    name,
    report.positives,
    report.negatives,
    'balanced accuracy',
    report.balancedAccuracy.toFixed(3),
    'area',
    report.area.toFixed(3),
  );
  const block = writeProfile(profile);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(block.length);
  return Buffer.concat([length, block]);
});
writeFileSync(fileURLToPath(new URL('profiles.bin', import.meta.url)), Buffer.concat(blocks));

async function looks(source) {
  const picture = sharp(source).autoOrient().resize(1024, 1024, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return looksOf({ width, height, rgb: new Uint8Array(data), originalWidth: width, originalHeight: height });
}

/** A page of lines of words, as strokes that need no font: paper, margins, columns, headings, a tilt and some grain. */
async function page(number) {
  const random = stream(number);
  const between = (low, high) => low + (high - low) * random();
  const [width, height] = random() < 0.75 ? [620, 877] : [877, 620];
  const paper = Math.round(between(225, 255));
  const ink = Math.round(between(0, 70));
  const columns = random() < 0.25 ? 2 : 1;
  const margin = between(30, 90);
  const line = between(13, 26);
  let drawing = `<rect width="100%" height="100%" fill="rgb(${paper},${paper},${Math.round(paper - between(0, 14))})"/>`;
  const columnWidth = (width - margin * (columns + 1)) / columns;
  for (let column = 0; column < columns; column++) {
    const left = margin + column * (columnWidth + margin);
    let y = margin;
    if (random() < 0.6) {
      drawing += words(left, y, columnWidth * between(0.3, 0.9), line * 1.3, 2);
      y += line * 2.4;
    }
    while (y < height - margin) {
      const last = random() < 0.15;
      drawing += words(left, y, columnWidth * (last ? between(0.2, 0.8) : between(0.93, 1)), line * 0.55, line / 14);
      y += line * (last ? 1.9 : 1);
      if (random() < 0.02) y += between(40, 140); // room for a picture or a formula
    }
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" stroke="rgb(${ink},${ink},${ink})" fill="none">${drawing}</svg>`;
  const drawn = sharp(await sharp(Buffer.from(svg)).png().toBuffer());
  const turned = await drawn.rotate(between(-3, 3), { background: '#999' }).blur(between(0.4, 1.4)).png().toBuffer();
  return sharp(turned)
    .resize(Math.round(between(400, 900)))
    .jpeg({ quality: Math.round(between(40, 95)) })
    .toBuffer();

  function words(x, y, length, size, stroke) {
    let path = '';
    for (let at = x; at < x + length;) {
      const letters = 1 + Math.floor(random() * 9);
      for (let k = 0; k < letters && at < x + length; k++) {
        const tall = random() < 0.25 ? size * 0.5 : 0;
        path += `M${at.toFixed(1)} ${(y - tall).toFixed(1)}V${(y + size).toFixed(1)}`;
        if (random() < 0.6)
          path += `q${(size * 0.4).toFixed(1)} ${(-size * between(0.2, 1.2)).toFixed(1)} ${(size * 0.5).toFixed(1)} 0`;
        at += size * 0.62;
      }
      at += size * 0.7;
    }
    return `<path d="${path}" stroke-width="${stroke.toFixed(1)}"/>`;
  }
}

/** Mulberry32 (T. Ettinger, 2017). */
function stream(seed) {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
