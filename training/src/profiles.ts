// Trains the profiles that are shipped. Deterministic.
//
//     npm run build && node training/dist/profiles.js ../shared/corpora
//
// "photograph" learns from the training half of `styles` (photographs against sketches, cartoons and paintings), with
// photographs of other origins, and pages, windows and diagrams drawn here, so that it does not take one collection for
// the kind; "document" from pages drawn here, as scans and composited onto photographs, against pictures of all those
// folders and other pictures with text. The result is engine/data/profiles.bin, each block after its length.
import { readdirSync, writeFileSync } from 'node:fs';
import { embeddingOf } from '@sosia/engine/classify/embedding';
import { writeProfile } from '@sosia/engine/classify/profile';
import { train } from '@sosia/engine/classify/training';
import { noPage, page } from './drawings.ts';
import { decoded, picturesIn } from './pictures.ts';

const corpora = process.argv[2];
const styles = `${corpora}/styles/train`;
/** Photographs of other origins: every n-th of a folder. */
const others = [
  ['photos', 2],
  ['cats_dogs/train', 3],
  ['clothing/train', 4],
] as const;
const PAGE_COUNT = 240;
const NO_PAGE_COUNT = 90;

const byStyle: Record<string, Uint8Array[]> = {};
for (const style of readdirSync(styles).sort()) byStyle[style] = await embedded(picturesIn(`${styles}/${style}`));
const { photo, ...drawn } = byStyle;
const paths = others.flatMap(([folder, step]) => {
  const photographs = picturesIn(`${corpora}/${folder}`).filter((path) => /\.jpe?g$/i.test(path));
  return photographs.filter((_, i) => i % step === 0);
});
const elsewhere = await embedded(paths);
const backgrounds = paths.filter((path) => path.startsWith(`${corpora}/photos/`));
const pages = await embedded(Array.from({ length: PAGE_COUNT }, (_, number) => page(number, backgrounds)));
const noPages = await embedded(Array.from({ length: NO_PAGE_COUNT }, (_, number) => noPage(number, backgrounds)));
/** Of what is drawn here: scans of text, windows and diagrams. */
const flat = [...pages.filter((_, i) => i % 24 === 0), ...noPages.filter((_, i) => i % 9 < 2)];

const blocks = [
  block('photograph', [...photo, ...elsewhere], [...Object.values(drawn).flat(), ...flat]),
  block('document', pages, [...Object.values(byStyle).flat(), ...elsewhere.filter((_, i) => i % 2 === 0), ...noPages]),
];
writeFileSync(new URL('../../engine/data/profiles.bin', import.meta.url), Buffer.concat(blocks));

async function embedded(sources: readonly (string | Promise<Buffer>)[]): Promise<Uint8Array[]> {
  const embeddings: Uint8Array[] = [];
  for (const source of sources) embeddings.push(embeddingOf(await decoded(await source, 1024)));
  return embeddings;
}

/** The trained profile after its length. */
function block(name: string, positives: readonly Uint8Array[], negatives: readonly Uint8Array[]): Buffer {
  const { profile, report } = train(name, positives, negatives);
  const [accuracy, area] = [report.balancedAccuracy, report.area].map((value) => value.toFixed(3));
  console.log(`${name} ${report.positives} ${report.negatives} balanced accuracy ${accuracy} area ${area}`);
  const bytes = writeProfile(profile);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
