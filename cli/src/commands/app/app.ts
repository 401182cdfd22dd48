import { applicationTypes, typeDefinitions, writeNetwork, type ApplicationType } from '@sosia/engine';
import { newApplication, standardDefaults } from '@sosia/server/applications/create';
import { ClusterApplicationStore } from '@sosia/server/cluster/application-store';
import { OnnxRunner } from '@sosia/server/onnx/onnx-runner';
import { embeddingNetwork } from '@sosia/server/store/embedding-network';
import type { ApplicationRecord, EmbeddingNetwork, SharedStore, ApplicationDefaults } from '@sosia/server';
import { Command, Option, InvalidArgumentError } from 'commander';
import { audit } from '../key/key.ts';
import { existing } from '../../data-folder/folder.ts';
import { groupOf, withHelp } from '../../help.ts';
import { logLine, print, printLine, printOutcome } from '../../terminal/output.ts';
import { agrees } from '../../terminal/question.ts';
import { choose, wireRecord } from '../../data-folder/records.ts';
import { addSettings } from '../../data-folder/settings.ts';
import { writeFields, writeList } from '../../terminal/table.ts';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';
import { whole, share } from '../../connection/connection.ts';
import { readEmbedding } from '../../networks/network-file.ts';

export function appCommand(): Command {
  const description =
    'Create and manage applications. Works beside a running server, which applies every change at once, in a cluster within two seconds.';
  const parts = [
    createCommand(),
    listCommand(),
    about('show', 'posters', (_store, record, json) => show(record, json)).description('Show one application.'),
    setCommand(),
    switchCommand('disable', false).description('Treat its keys as unknown; its pictures stay.'),
    switchCommand('enable', true).description('Accept its keys again, and changes after `sosia move`.'),
    shardsCommand(),
    emptyCommand(),
    deleteCommand(),
  ];
  return groupOf('app', description, parts, {
    examples: [
      'sosia app create --type media-matching --name posters',
      'sosia app list --json',
      'sosia app set posters --nb-results 20 --retrieval-threshold 0.5',
      'sosia app delete posters --yes',
    ],
    notes: ['Select an application by its key, its name or its number in the list. The default data folder is ./data.'],
  });
}

interface CreateOptions extends DefaultOptions {
  readonly type: ApplicationType;
  readonly name: string;
  readonly json?: boolean;
  readonly thumbnails?: Switch;
  readonly ignoreBackground?: boolean;
  readonly network?: string;
  readonly shards?: number;
}

function createCommand(): Command {
  const command = new Command('create')
    .description('Create an application and print its key. The key cannot be printed again: only its digest is stored.')
    .addOption(new Option('--type <TYPE>', 'Type of the application.').choices(applicationTypes).makeOptionMandatory())
    .addOption(new Option('--name <NAME>', 'Name for people.').argParser(nameOf).makeOptionMandatory())
    .addOption(thumbnailsOption())
    .option(
      '--ignore-background',
      'Take only the colours of the object before a plain background; for image-similarity and color-similarity. Cannot be changed later.',
    )
    .option(
      '--network <FILE>',
      'Describe the pictures by the vectors of a network: model.onnx with model.json beside it, or an exported network; for image-similarity. Cannot be changed later.',
    )
    .option(
      '--shards <N>',
      'In a cluster: the parts of an index of its own, 1 to 100; one for each 2.5 million pictures expected. (default: it shares an index until it has 1,000 pictures)',
      whole(1, 100),
    )
    .action((options: CreateOptions) =>
      withStore(
        command,
        (data) => data,
        async (store) => {
          const { type, name, json } = options;
          const { colors, colorWeight } = typeDefinitions[type].traits;
          const thumbnails = options.thumbnails !== 'off';
          const ignoreBackground = options.ignoreBackground ?? false;
          if (ignoreBackground && !colors && !colorWeight) throw new Error(`--ignore-background is not for ${type}`);
          if (options.network !== undefined && type !== 'image-similarity')
            throw new Error(`--network is not for ${type}`);
          const embedding = options.network === undefined ? undefined : await triedEmbedding(options.network);
          const { key, row } = newApplication({
            type,
            name,
            thumbnails,
            ignoreBackground,
            ...(embedding && { embedding }),
            defaults: changed(standardDefaults, options),
          });
          if (options.shards !== undefined && !(store instanceof ClusterApplicationStore))
            throw new Error('--shards is for clusters');
          const record =
            store instanceof ClusterApplicationStore
              ? await store.create(row, embedding?.network, options.shards)
              : await store.create(row, embedding?.network);
          await audit(command, { what: 'CreateApplication', detail: `name=${name} type=${type}` }, record);
          if (json) return print({ application_key: key, type, name });
          printLine(`application_key  ${key}`);
          logLine('keep it well: it cannot be printed again');
        },
      ),
    );
  return addDefaults(withCommonOptions(command, 'sosia app create --type media-matching --name posters'));
}

/** The network of a file, with the sizes of its input and its vectors. */
async function triedEmbedding(file: string): Promise<EmbeddingNetwork> {
  const { spec, model } = readEmbedding(file);
  const onnx = new OnnxRunner();
  try {
    const { width, height, vector } = await onnx.trial(writeNetwork({ name: 'embedding', spec, model }));
    return embeddingNetwork({ ...spec, width, height }, model, vector);
  } finally {
    await onnx.close();
  }
}

function listCommand(): Command {
  const command = new Command('list').description('List all applications.').action(({ json }: { json?: boolean }) =>
    withStore(command, existing, async (store) => {
      const records = store.list().map(wireRecord);
      if (json) return print(records);
      // `show` prints the rest
      writeList('application', records, ({ number, name, type, enabled, key, state }) => ({
        number,
        name,
        type,
        enabled,
        key,
        state,
      }));
    }),
  );
  return withCommonOptions(command, 'sosia app list --json');
}

function setCommand(): Command {
  const example = 'posters --nb-results 20 --retrieval-threshold 0.5';
  const command = about('set', example, async (store, record, json) => {
    const options = command.opts<DefaultOptions & { name?: string; thumbnails?: Switch }>();
    const change = {
      name: options.name ?? record.name,
      defaults: changed(record.defaults, options),
      thumbnails: options.thumbnails ? options.thumbnails === 'on' : (record.thumbnails ?? true),
    };
    await store.update(record.number, change);
    await audit(command, { what: 'SetApplication', detail: detailOf(command) }, record);
    show({ ...record, ...change }, json);
  });
  command.description('Change the name or the defaults of an application.');
  return addDefaults(command.option('--name <NAME>', 'Name for people.', nameOf).addOption(thumbnailsOption()));
}

/** The settings of the application that were given: where its data is, is not for its customer. */
function detailOf(command: Command): string {
  const changes = ['name', 'thumbnails', 'nbResults', 'colorWeight', 'retrievalThreshold'];
  const given = Object.entries(command.opts<Record<string, unknown>>()).filter(([name]) => changes.includes(name));
  return given.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}

type Switch = 'on' | 'off';

function thumbnailsOption(): Option {
  const about = 'Store a thumbnail, at most 320 pixels and 16 KB, of each picture added from now on, for the console.';
  return new Option('--thumbnails <SWITCH>', about).choices(['on', 'off']);
}

function switchCommand(verb: string, enabled: boolean): Command {
  const command = about(verb, 'posters', async (store, record, json) => {
    await store.update(record.number, { enabled, ...(enabled && { state: undefined }) });
    await audit(command, { what: 'SetApplication', detail: `enabled=${enabled ? 1 : 0}` }, record);
    show({ ...record, enabled, ...(enabled && { state: undefined }) }, json);
  });
  return command;
}

function emptyCommand(): Command {
  const command = about('empty', 'posters --yes', async (store, record, json) => {
    await confirm(command, record, 'Remove all pictures of application');
    const emptied = await store.empty(record.number);
    await audit(command, { what: 'EmptyApplication', detail: '' }, emptied);
    show(emptied, json);
  });
  command.description('Remove all pictures of an application. Its keys and settings stay.');
  return command.option('--yes', 'Skip the confirmation.');
}

function deleteCommand(): Command {
  const command = about('delete', 'posters --yes', async (store, record, json) => {
    await confirm(command, record, 'Delete application with all pictures:');
    await store.delete(record.number);
    await audit(command, { what: 'DeleteApplication', detail: '' }, record);
    printOutcome(json, { deleted: true, number: record.number, name: record.name }, `deleted ${record.name}`);
  });
  return command.description('Delete an application with all its pictures.').option('--yes', 'Skip the confirmation.');
}

type Work = (store: SharedStore, record: ApplicationRecord, json: boolean) => void | Promise<void>;

/** A command about one application. @param example  what follows the verb */
function about(verb: string, example: string, work: Work): Command {
  const command = new Command(verb)
    .argument('<application>', 'its key, its name or its number')
    .action((selector: string, { json = false }: { json?: boolean }) =>
      withStore(command, existing, async (store) => work(store, choose(store.list(), selector), json)),
    );
  return withCommonOptions(command, `sosia app ${verb} ${example}`);
}

function withCommonOptions(command: Command, example: string): Command {
  return withHelp(addSettings(command, placeSettings).option('--json', 'Print JSON.'), { examples: [example] });
}

async function confirm(command: Command, { name, number }: ApplicationRecord, what: string): Promise<void> {
  if (command.opts<{ yes?: boolean }>().yes) return;
  if (!process.stdin.isTTY) throw new Error('a deletion needs a confirmation, and there is no terminal; use --yes');
  if (!(await agrees(`${what} ${name} (number ${number})?`))) throw new Error('nothing deleted');
}

function show(record: ApplicationRecord, json: boolean): void {
  const fields = wireRecord(record);
  if (json) return print(fields);
  writeFields(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])));
}

function shardsCommand(): Command {
  const command = new Command('shards')
    .description('In a cluster: divide the index of an application into more shards, beside running services.')
    .argument('<application>', 'its key, its name or its number')
    .argument('<shards>', 'twice as many as now, four times, and so on', whole(2, 1024))
    .action((selector: string, shards: number, { json }: { json?: boolean }) =>
      withStore(command, existing, async (store) => {
        if (!(store instanceof ClusterApplicationStore)) throw new Error('shards are for clusters');
        const record = choose(store.list(), selector);
        const stopping = new AbortController();
        const stop = () => stopping.abort(new Error(`stopped: ${record.name} is as before`));
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
        const progress = (ready: number) => logLine(`${ready} of ${shards} shards ready`);
        await store.addShards(record.number, shards, { signal: stopping.signal, progress });
        await audit(command, { what: 'SetApplication', detail: `shards=${shards}` }, record);
        printOutcome(json, { ...wireRecord(record), shards }, `${record.name} has ${shards} shards`);
      }),
    );
  addSettings(command, placeSettings).option('--json', 'Print JSON.');
  return withHelp(command, {
    examples: ['sosia app shards posters 4 --cluster http://127.0.0.1:9200'],
    notes: [
      'Searches go on. Changes wait, and after nine seconds they are answered with OVERLOADED until the new shards are there.',
      'Where the command was killed, a service makes the application take changes again within a minute.',
    ],
  });
}

/** The result of the flags of `addDefaults`. */
interface DefaultOptions {
  readonly nbResults?: number;
  readonly colorWeight?: number;
  readonly retrievalThreshold?: number;
}

function addDefaults(command: Command): Command {
  return command
    .option('--nb-results <N>', 'Default number of results of a search, 1 to 1000.', whole(1, 1000))
    .option('--color-weight <N>', 'Default weight of colour in a search, 0 to 100.', whole(0, 100))
    .option('--retrieval-threshold <SCORE>', 'Only results with a score below are listed; above 0, at most 1.', share);
}

function changed(defaults: ApplicationDefaults, options: DefaultOptions): ApplicationDefaults {
  return {
    nbResults: options.nbResults ?? defaults.nbResults,
    colorWeight: options.colorWeight ?? defaults.colorWeight,
    retrievalThreshold: options.retrievalThreshold ?? defaults.retrievalThreshold,
  };
}

/** Reads the name of an application. */
function nameOf(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,100}$/u.test(text) && text.trim() === text) return text;
  throw new InvalidArgumentError('Expected 1 to 100 characters without control characters or spaces around.');
}
