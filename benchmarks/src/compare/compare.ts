import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, type Comparison, type Picture } from '@sosia/engine';
import sharp from 'sharp';
import { machine } from '@sosia/testing/machine';
import { corpusPictures } from '@sosia/testing/pictures/corpus';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { type Raster, rasterOf, sharpOf } from '@sosia/testing/pictures/raster';
import { quantile } from '@sosia/testing/statistics';
import { figure, table } from '@sosia/testing/table';
import { edits } from './edits.ts';
import { disputed, opened, type Pair, toldPairs } from './pairs.ts';
import { changes, type Patch, planted } from './planting.ts';

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    sheet: { type: 'string', default: 'benchmarks/out/compare.png' },
  },
});
const COVERED = 0.3;
const cells: Buffer[] = [];

const photographs = corpusPictures('photos');
const pairs = toldPairs();
console.log(`FineComparison · ${machine()}\n`);
if (photographs) await plantedChanges(photographs);
else console.log('compare: skipped planted changes, ../shared/corpora/photos is absent');
if (pairs) await pairsOfOthers();
else console.log('compare: skipped pairs, ../shared/corpora/differences is absent');
await speed(photographs);
await sheet(options.sheet);

async function plantedChanges(all: readonly string[]): Promise<void> {
  const seed = Number(options.seed);
  const chosen = shuffled(randomFor('compared', seed), all).slice(0, Number(options.pictures));
  const names = Object.keys(edits);
  const counts = new Map<string, { changed: number; covered: number; unchanged: number; alarms: number }>();
  const count = (name: string) => {
    if (!counts.has(name)) counts.set(name, { changed: 0, covered: 0, unchanged: 0, alarms: 0 });
    return counts.get(name)!;
  };
  for (const [i, path] of chosen.entries()) {
    const random = randomFor('planted', basename(path), seed);
    const change = changes[i % changes.length]!;
    const name = names[Math.floor(i / changes.length) % names.length]!;
    const original = await rasterOf(sharp(path));
    const other = await rasterOf(sharp(chosen[(i + 1) % chosen.length]!));
    const { reference, query, patch } = await planted(original, change, other, random);
    const found = compare(asPicture(reference), asPicture(await edits[name]!(query)));
    const covered = best(found, patch, reference) >= COVERED;
    if (!covered)
      console.log(`  missed: ${basename(path)}, ${change}, ${name}, IoU ${best(found, patch, reference).toFixed(2)}`);
    const same = compare(asPicture(original), asPicture(await edits[name]!(original)));
    const alarm = !same || same.regions.length > 0;
    if (alarm) console.log(`  false alarm: ${basename(path)}, ${name}, ${same ? same.regions.length : 'not aligned'}`);
    for (const row of [change, name, 'all']) {
      const counted = count(row);
      counted.changed++;
      counted.covered += Number(covered);
      counted.unchanged++;
      counted.alarms += Number(alarm);
    }
    if (i < 12 || !covered) await keep(found);
  }
  const rows = [...changes, ...names, 'all'].map((name) => {
    const { changed, covered, unchanged, alarms } = count(name);
    return [name, changed, figure(covered / changed, 3), figure(alarms / unchanged, 3)];
  });
  console.log(table(['planted change / edit', 'pairs', 'covered (IoU ≥ 0.3)', 'unchanged with a region'], rows) + '\n');
}

async function pairsOfOthers(): Promise<void> {
  const judged: { pair: Pair; score: number }[] = [];
  const rows: (string | number)[][] = [];
  for (const pair of pairs!) {
    const found = await Promise.all(
      [false, true].map(async (worse) => {
        const [a, b] = await opened(pair, worse);
        return compare(asPicture(a), asPicture(b));
      }),
    );
    await keep(found[0]);
    judged.push({ pair, score: found[1]?.score ?? NaN });
    const told = disputed[pair.b] ? `${pair.kind}, but ${disputed[pair.b]}` : pair.kind;
    rows.push([pair.b, told, ...found.map((each) => (each ? each.score.toFixed(6) : 'not aligned'))]);
  }
  console.log(table(['pair', 'told to be', 'score as it is', 'after JPEG 70 and 10 % smaller'], rows));
  const order = (kindOf: (pair: Pair) => Pair['kind']): string => {
    const of = (changed: boolean): number[] =>
      judged.filter(({ pair }) => (kindOf(pair) === 'changed') === changed).map(({ score }) => score);
    const highest = Math.max(...of(false));
    return `${of(true).filter((score) => score > highest).length} of ${of(true).length}`;
  };
  console.log(`\nchanged pairs above every other, by the labels: ${order(({ kind }) => kind)}`);
  console.log(`by what one sees in the pictures: ${order(({ b, kind }) => disputed[b] ?? kind)}\n`);
}

async function speed(all: readonly string[] | null): Promise<void> {
  if (!all) return;
  const grown = await Promise.all(
    all.slice(0, 6).map(async (path) => rasterOf(sharp(path).resize(1155, 866, { fit: 'fill' }))),
  );
  const times: number[] = [];
  for (const [i, picture] of [...grown, ...grown].entries()) {
    const query = await edits['recompressed (JPEG 70)']!(picture);
    const start = process.cpuUsage();
    compare(asPicture(picture), asPicture(query));
    if (i >= 4) times.push(process.cpuUsage(start).user / 1000);
  }
  times.sort((a, b) => a - b);
  console.log(
    `two pictures of one megapixel: median ${figure(quantile(times, 0.5), 0)} ms of processor time, least ${figure(times[0]!, 0)}`,
  );
}

/** The largest share of union that a region has in common with the patch. */
function best(found: Comparison | undefined, patch: Patch, { width, height }: Raster): number {
  const overlaps = (found?.regions ?? []).map(({ reference: { topLeftPoint, bottomRightPoint } }) => {
    const [left, top] = [topLeftPoint[0] * width, topLeftPoint[1] * height];
    const [right, bottom] = [bottomRightPoint[0] * width, bottomRightPoint[1] * height];
    const across = Math.min(right, patch.left + patch.width) - Math.max(left, patch.left);
    const down = Math.min(bottom, patch.top + patch.height) - Math.max(top, patch.top);
    const common = Math.max(0, across) * Math.max(0, down);
    return common / ((right - left) * (bottom - top) + patch.width * patch.height - common);
  });
  return Math.max(0, ...overlaps);
}

function asPicture({ width, height, rgb }: Raster): Picture {
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}

/** Both marked pictures for the contact sheet. */
async function keep(found: Comparison | undefined): Promise<void> {
  if (!found) return;
  for (const { width, height, rgb } of [found.reference, found.query]) {
    const picture = sharpOf({ width, height, rgb: Buffer.from(rgb) });
    cells.push(await picture.resize(400, 300, { fit: 'contain', background: '#555' }).png().toBuffer());
  }
}

async function sheet(file: string): Promise<void> {
  const height = Math.ceil(cells.length / 6) * 300;
  const page = sharp({ create: { width: 2400, height, channels: 3, background: '#555' } });
  const placed = cells.map((input, i) => ({ input, left: (i % 6) * 400, top: Math.floor(i / 6) * 300 }));
  mkdirSync(dirname(file), { recursive: true });
  await page.composite(placed).png().toFile(file);
  console.log(`\nthe marked pictures: ${file}`);
}
