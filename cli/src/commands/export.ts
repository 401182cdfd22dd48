import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Image, Narrowing } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { addNarrowing, narrowingOf } from '../connection/narrowing.ts';
import { counted, printOutcome, visible } from '../terminal/output.ts';
import { progress } from '../terminal/progress.ts';
import { writeWhole } from '../whole-file.ts';

interface ExportOptions extends ConnectionOptions, Narrowing {
  readonly dna: boolean;
  readonly parallel: number;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description('Write the pictures of an application as JSONL: id, keywords, metadata and DNA, by id.')
    .argument('[file]', 'the file; stdout if missing');
  addNarrowing(command)
    .option('--no-dna', 'Leave out the DNA: a list of ids and keywords.')
    .option('--parallel <N>', 'Concurrent requests, 1 to 64.', whole(1, 64), 8);
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: [
      'sosia export posters.jsonl --app KEY',
      'sosia import posters.jsonl --app OTHERKEY',
      'sosia export --keywords 2019 --no-dna --app KEY | wc -l',
    ],
    notes: [
      'A line is {"image_id": …, "keywords": […], "metadata": {…}, "dna": base64}, as accepted by `sosia import`. An application of the same type and settings that imports the file answers searches as this one does. Thumbnails are not included. FILE appears once it is complete.',
    ],
  }).action((file: string | undefined, options: ExportOptions) => exportAll(file, options));
}

async function exportAll(file: string | undefined, options: ExportOptions): Promise<void> {
  if (file === undefined) {
    await write(process.stdout, options, null);
    return;
  }
  const count = await writeWhole(file, async (out) => write(out, options, await connect(options).count()));
  printOutcome(options.json, { pictures: count, file }, `${counted(count, 'picture')} in ${file}`);
}

/** @param expected  for the progress; null for none */
async function write(out: Writable, options: ExportOptions, expected: number | null): Promise<number> {
  const sosia = connect(options);
  const narrowing = narrowingOf(options);
  const narrowed = Object.keys(narrowing).length > 0;
  const bar = expected === null || narrowed ? null : progress('exporting pictures', expected);
  const source: AsyncIterable<Image & { dna?: Uint8Array }> = options.dna
    ? sosia.imagesWithDna(narrowing, options)
    : sosia.images(narrowing);
  let count = 0;
  for await (const image of source) {
    const dna = image.dna && Buffer.from(image.dna).toString('base64');
    const line = visible(
      JSON.stringify({ image_id: image.id, keywords: image.keywords, metadata: image.metadata, dna }),
    );
    if (!out.write(`${line}\n`)) await once(out, 'drain');
    bar?.step();
    count++;
  }
  bar?.end();
  return count;
}
