import { readFile, stat } from 'node:fs/promises';
import { errorCodes, Sosia, SosiaError, type Metadata } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, connect, type ConnectionOptions } from '../connection/connection.ts';
import { isAboutKey } from '../connection/error-bands.ts';
import { existing } from '../data-folder/folder.ts';
import { withHelp } from '../help.ts';
import { addressOf, idOfFile } from '../sources/ids.ts';
import { messageOf } from '../terminal/message.ts';
import { counted, logLine, print, printLine, visible } from '../terminal/output.ts';
import { UsageError } from '../usage.ts';

interface AddFlags extends ConnectionOptions {
  readonly id?: string;
  readonly keywords?: readonly string[];
  readonly metadata?: Metadata;
  readonly data?: string;
}

export function addCommand(): Command {
  const command = new Command('add')
    .description('Add pictures to an application. `sosia import` adds folders and lists.')
    .argument('<files...>', 'picture files, or addresses that the service fetches')
    .option(
      '--id <ID>',
      'The id of the picture, for one file. (default: its path here, or its name if the path is absolute)',
    )
    .option('--keywords <WORDS...>', 'Keywords of all these pictures.')
    .option('--metadata <JSON>', 'Metadata of all these pictures, a JSON object.', metadataOf)
    .option('--data <DIR>', 'Add to this data folder while no service uses it.');
  return withHelp(addConnection(command, ['modify']), {
    examples: [
      'sosia add poster.jpg --app KEY',
      'sosia add poster.jpg --app KEY --id posters/harbour --keywords poster 2026',
      'sosia add poster.jpg --app KEY --id 2026 --metadata \'{"year": 2026}\'',
      'sosia add https://images.example.org/harbour.jpg --app KEY',
      'sosia add *.jpg --app KEY --data /var/lib/sosia',
    ],
    notes: [
      'An existing id is reported and does not change. With --data the command opens the folder itself, so no service may be running on it.',
    ],
  }).action((files: string[], options: AddFlags) => add(files, options));
}

async function add(files: readonly string[], options: AddFlags): Promise<void> {
  if (options.id !== undefined && files.length > 1) throw new UsageError(`--id is for one file, got ${files.length}`);
  if (options.data === undefined) return addTo(connect(options), files, options);
  const { createLog, readConfig, startServer } = await import('@sosia/server');
  const flags = { data: existing(options.data), modify_port: '0', query_port: '0', stop_grace: '0' };
  const server = await startServer(readConfig({ flags }), createLog('error'));
  try {
    const [modify, query] = [server.modifyPort, server.queryPort].map((port) => `http://127.0.0.1:${port}`);
    await addTo(new Sosia({ modify: modify!, query: query!, key: options.app }), files, options);
  } finally {
    await server.close();
  }
}

async function addTo(
  sosia: Sosia,
  files: readonly string[],
  { id, keywords = [], metadata, json }: AddFlags,
): Promise<void> {
  let failed = 0;
  for (const path of files) {
    const name = id ?? idOfFile(path);
    try {
      const added = await sosia.add(name, addressOf(path) ?? (await pictureIn(path)), keywords, { metadata });
      if (json) print({ image_id: name, ...added });
      else printLine(`added ${visible(name)}`);
    } catch (cause) {
      if (files.length === 1 || !isOfThisFile(cause)) throw cause;
      failed++;
      logLine(visible(`${path}: ${messageOf(cause)}`));
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${counted(files.length, 'file')} failed`);
}

function metadataOf(text: string): Metadata {
  try {
    return JSON.parse(text) as Metadata;
  } catch {
    throw new UsageError(`--metadata: expected a JSON object, got ${text}`);
  }
}

async function pictureIn(path: string): Promise<Uint8Array> {
  if ((await stat(path)).isDirectory())
    throw new UsageError(`${path} is a folder; \`sosia import ${path}\` adds its pictures`);
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new Error(`${path} is empty: the file has no bytes`);
  return bytes;
}

/** Whether other files may still be added. */
function isOfThisFile(cause: unknown): boolean {
  if (cause instanceof SosiaError)
    return cause.http !== 503 && cause.code < errorCodes.INTERNAL && !isAboutKey(cause.code);
  return cause instanceof Error && cause.name !== 'ConnectionError';
}
