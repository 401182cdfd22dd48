import { readFileSync, writeFileSync } from 'node:fs';
import { typeDefinitions, type ApplicationType, type Side } from '@sosia/engine';
import { Command, Option } from 'commander';
import { withDecoder } from '../decoder.ts';
import { withHelp } from '../help.ts';

interface Options {
  readonly type: ApplicationType;
  readonly side: Side;
  readonly out?: string;
  readonly ignoreBackground?: boolean;
}

/** `sosia dna`: the same DNA of a picture as the service makes, for AddImage and SearchImageByDna. */
export function dnaCommand(): Command {
  const command = new Command('dna')
    .description('Describe a picture as the service does, without a server. Prints the DNA as base64.')
    .argument('<FILE>', 'A picture.')
    .addOption(
      new Option('--type <TYPE>', 'Type of the application.')
        .choices(Object.keys(typeDefinitions))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--side <SIDE>', 'For additions (reference) or for searches (query).')
        .choices(['reference', 'query'])
        .default('query'),
    )
    .option('--ignore-background', 'For an application that was created with this option.')
    .option('--out <FILE>', 'Write the bytes there instead of printing base64.');
  return withHelp(command, {
    examples: [
      'sosia dna photo.jpg --type media-matching',
      'sosia dna photo.jpg --type mobile-matching --side query --out photo.dna',
    ],
  }).action(async (file: string, { type, side, out, ignoreBackground = false }: Options) => {
    const content = readFileSync(file);
    const dna = await withDecoder((decoder) => decoder.describe(content, type, side, 0, { ignoreBackground }));
    if (out) writeFileSync(out, dna);
    else process.stdout.write(`${Buffer.from(dna).toString('base64')}\n`);
  });
}
