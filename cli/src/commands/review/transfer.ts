import { readFileSync, writeFileSync } from 'node:fs';
import { errorCodes, SosiaError, type Verdict } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, commandsOf, connect, type ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { counted, printOutcome, visible } from '../../terminal/output.ts';

/** Verdicts of one request. */
const BATCH = 1000;

type WrittenVerdict = Pick<Verdict, 'verdict' | 'images'> & Partial<Pick<Verdict, 'kind' | 'kept' | 'at' | 'who'>>;
/** A line of the file. */
type Line = WrittenVerdict | { readonly ignored: string; readonly dna: string };

export function exportCommand(): Command {
  const command = commandsOf('review')(
    'export',
    'Write the verdicts and the ignore list as JSONL.',
    'posters.verdicts',
  );
  return command.argument('<file>', 'the file').action(async (file: string, options: ConnectionOptions) => {
    const { review } = connect(options);
    const lines: Line[] = [];
    for await (const { verdict, images, kind, kept, at, who } of review.verdicts()) {
      lines.push({ verdict, images, kind, kept, at, who });
    }
    const verdicts = lines.length;
    for (const { id, dna } of await ignoredOf(review)) {
      lines.push({ ignored: id, dna: Buffer.from(dna!).toString('base64') });
    }
    writeFileSync(file, lines.map((line) => `${visible(JSON.stringify(line))}\n`).join(''));
    const ignored = lines.length - verdicts;
    const line = `${counted(verdicts, 'verdict')} and ${counted(ignored, 'ignored picture')} in ${file}`;
    printOutcome(options.json, { verdicts, ignored, file }, line);
  });
}

/** None for a type without an ignore list. */
async function ignoredOf(review: ReturnType<typeof connect>['review']): ReturnType<typeof review.ignored> {
  try {
    return await review.ignored({ dna: true });
  } catch (cause) {
    if (cause instanceof SosiaError && cause.code === errorCodes.DOES_NOT_APPLY) return [];
    throw cause;
  }
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('Add the verdicts and ignored pictures of a file that `export` wrote.')
    .argument('<file>', 'the file');
  return withHelp(addConnection(command, ['modify']), {
    examples: ['sosia review import posters.verdicts --app OTHERKEY'],
    notes: [
      'What the application has already is left as it is. Verdicts that removed pictures are left out: `sosia export` no longer has these pictures.',
    ],
  }).action(async (file: string, options: ConnectionOptions) => {
    const lines = linesOf(file);
    const { review } = connect(options);
    const verdicts = lines.flatMap((line) => ('verdict' in line ? line : []));
    let imported = 0;
    for (let i = 0; i < verdicts.length; i += BATCH) {
      imported += await review.importVerdicts(verdicts.slice(i, i + BATCH).reverse()); // the oldest first
    }
    let ignored = 0;
    for (const line of lines) {
      if (!('ignored' in line)) continue;
      try {
        await review.ignore(line.ignored, { dna: new Uint8Array(Buffer.from(line.dna, 'base64')) });
        ignored++;
      } catch (cause) {
        if (!(cause instanceof SosiaError) || cause.code !== errorCodes.IMAGE_EXISTS) throw cause;
      }
    }
    const line = `${counted(imported, 'new verdict')}, ${counted(ignored, 'new ignored picture')}`;
    printOutcome(options.json, { verdicts: imported, ignored }, line);
  });
}

function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, i) => {
      if (text === '') return [];
      try {
        return JSON.parse(text) as Line;
      } catch {
        throw new Error(`${file}, line ${i + 1}: expected JSON`);
      }
    });
}
