import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box, Compared, Comparison } from '@sosia/client';
import { Command } from 'commander';
import { addService, connect, type ConnectionOptions } from '../connection/connection.ts';
import { withDecoder } from '../decoder.ts';
import { withHelp } from '../help.ts';
import { print, printLine, logLine } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';

type CompareOptions = Partial<ConnectionOptions> & { readonly out?: string };

export function compareCommand(): Command {
  const command = new Command('compare')
    .description('Align two pictures that match and show where they differ.')
    .argument('<a>', 'a picture; with --app also id:ID, a reference picture of the application')
    .argument('<b>', 'another one')
    .option('--out <DIR>', 'Write both pictures there with the differences marked: a.jpg and b.jpg.');
  return withHelp(addService(command, ['query']), {
    examples: [
      'sosia compare before.jpg after.jpg --out marked/',
      'sosia compare before.jpg after.jpg --json',
      'SOSIA_QUERY_URL=https://pictures.example sosia compare a.jpg b.jpg --app KEY',
      'sosia compare id:harbour.jpg found.jpg --app KEY',
    ],
    notes: [
      'The command works without a service; with --app the service of a Media Matching application compares. The score is 0 for the same picture and rises with the differences. Boxes are in per cent of width and height. Pictures that do not match cannot be aligned, which is a failure.',
      'Of a reference picture the thumbnail is compared. The smallest differences may then be missing, and the result says that it is coarse. A file whose name begins with id: is named as ./id:…',
    ],
  }).action((a: string, b: string, options: CompareOptions) => compare(a, b, options));
}

async function compare(a: string, b: string, { app, out, json, ...service }: CompareOptions): Promise<void> {
  const compared = app
    ? await connect({ ...service, app }).compare(storedOrFile(a), storedOrFile(b))
    : await comparedHere(fileOf(a), fileOf(b));
  const { score, regions, rimStrips, coarse, homography, reference, query } = compared;
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'a.jpg'), reference);
    writeFileSync(join(out, 'b.jpg'), query);
  }
  if (json) {
    const strips = rimStrips.length > 0 ? { rim_strips: rimStrips } : {};
    return print({ score, regions, ...strips, ...(coarse ? { coarse } : {}), homography });
  }
  printLine(`score ${score.toFixed(4)}, ${regions.length === 0 ? 'no differences' : differing(regions.length)}`);
  writeTable(
    regions.map(({ strength, reference, query }, i) => {
      const spans = { 'in a, across × down': spanOf(reference), 'in b, across × down': spanOf(query) };
      return { '': i + 1, strength: strength.toFixed(2), ...spans };
    }),
  );
  if (rimStrips.length > 0) printLine(`strips along the rim, which are no differences: ${rimStrips.length}`);
  if (coarse) printLine('coarse: a thumbnail was compared, so that the smallest differences may be missing');
  if (out !== undefined) logLine(`marked: ${join(out, 'a.jpg')} and ${join(out, 'b.jpg')}`);
}

const STORED = /^id:(?=.)/;

function storedOrFile(name: string): Compared {
  return STORED.test(name) ? { id: name.replace(STORED, '') } : readFileSync(name);
}

function fileOf(name: string): Uint8Array {
  if (STORED.test(name)) throw new UsageError(`${name} is a reference picture, which needs --app`);
  return readFileSync(name);
}

async function comparedHere(a: Uint8Array, b: Uint8Array): Promise<Comparison> {
  const { strips, ...compared } = await withDecoder((decoder) => decoder.compare(a, b));
  return { ...compared, rimStrips: strips, coarse: false };
}

function differing(regions: number): string {
  return regions === 1 ? '1 place differs' : `${regions} places differ`;
}

/** `12–34 × 50–61 %` */
function spanOf({ topLeftPoint: [left, top], bottomRightPoint: [right, bottom] }: Box): string {
  const span = (from: number, to: number): string => `${Math.round(100 * from)}–${Math.round(100 * to)}`;
  return `${span(left, right)} × ${span(top, bottom)} %`;
}
