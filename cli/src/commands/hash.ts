import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { withDecoder } from '../decoder.ts';
import { withHelp } from '../help.ts';
import { messageOf } from '../terminal/message.ts';
import { logLine, print, printLine, visible } from '../terminal/output.ts';

/** `sosia hash`: the hash of GetPdq, in a decode child with its limits. */
export function hashCommand(): Command {
  const command = new Command('hash')
    .description('Print hash (PDQ), quality and name of pictures, without a server.')
    .argument('<FILES...>', 'Pictures.')
    .option('--json', 'Print one JSON object per line.');
  return withHelp(command, {
    examples: ['sosia hash photo.jpg', 'sosia hash *.jpg --json'],
    notes: ['A hash of a quality below 50 is too uncertain to match.'],
  }).action(async (files: string[], { json }: { readonly json?: boolean }) => {
    let failed = 0;
    await withDecoder(async (decoder) => {
      for (const file of files) {
        try {
          const { hash, quality } = await decoder.pdq(readFileSync(file));
          const pdq = Buffer.from(hash).toString('hex');
          if (json) print({ file, pdq, quality });
          else printLine(visible(`${pdq},${quality},${file}`));
        } catch (cause) {
          failed++;
          logLine(visible(`${file}: ${messageOf(cause)}`));
        }
      }
    });
    if (failed > 0) throw new Error(`${failed} of ${files.length} failed`);
  });
}
