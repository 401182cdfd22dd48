import { readFileSync, writeFileSync } from 'node:fs';
import { typeDefinitions, type ApplicationType, type DescribeOptions, type Side } from '@sosia/engine';
import { Decoder } from '@sosia/server/decode';
import { Command, Option } from 'commander';
import { withHelp } from '../help.ts';

/** Milliseconds for one picture; generous, since no client waits. */
const PATIENCE = 60_000;

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
    const dna = await described(readFileSync(file), type, side, { ignoreBackground });
    if (out) writeFileSync(out, dna);
    else process.stdout.write(`${Buffer.from(dna).toString('base64')}\n`);
  });
}

/** In a decode child with its limits, as in the service. */
async function described(
  content: Uint8Array,
  type: ApplicationType,
  side: Side,
  options: DescribeOptions,
): Promise<Uint8Array> {
  const pool = await Decoder.start({ children: 1, waitLimit: PATIENCE, timeLimit: PATIENCE });
  try {
    return await pool.describe(content, type, side, 0, options);
  } finally {
    await pool.close();
  }
}
