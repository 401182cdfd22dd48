import type { Answers } from '@sosia/client';
import { Command, Option } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { groupOf, withHelp } from '../help.ts';
import { print } from '../terminal/output.ts';
import { writeFields, writeList, writeTable } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';

type Source = Answers['administration']['ListSources']['sources'][number];
type Preview = NonNullable<Answers['administration']['CreateSource']['preview']>;

const WRITABLE = 'Removing pictures may also move or delete their files.';

interface Options extends ConnectionOptions {
  readonly application?: string;
}

export function sourceCommand(): Command {
  const settings = [
    settingCommand('pause', 'Begin no pass, and end the one that runs.', { paused: 1 }),
    settingCommand('resume', 'Follow a paused source again.', { paused: 0 }),
    settingCommand('writable', WRITABLE, { writable: 1 }),
    settingCommand('read-only', 'Its files stay where they are again.', { writable: 0 }),
  ];
  const parts = [
    addCommand(),
    listCommand(),
    showCommand(),
    runCommand(),
    ...settings,
    confirmCommand(),
    removeCommand(),
  ];
  return groupOf('source', 'Follow folders, films, buckets, the web and archives.', parts, {
    examples: [
      'sosia source add posters --path /srv/posters --application posters --app KEY',
      'sosia source list --app KEY',
    ],
    notes: ["An administrator's key creates sources, in places that the service allows: docs/sources.md."],
  });
}

function about(verb: string, description: string, words: string): Command {
  const command = addConnection(new Command(verb).description(description), ['modify']);
  command.option('--application <NAME>', "Name or number of the application, with an administrator's key.");
  return withHelp(command, { examples: [`sosia source ${verb} ${words}--application posters --app KEY`] });
}

interface AddOptions extends Options {
  readonly path?: string;
  readonly archive?: string;
  readonly films?: string;
  readonly url?: readonly string[];
  readonly bucket?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly keyPrefix?: string;
  readonly prefix?: string;
  readonly keyword?: readonly string[];
  readonly interval?: number;
  readonly writable?: boolean;
  readonly dryRun?: boolean;
}

function addCommand(): Command {
  return about('add', 'Create a source, which the service follows from then on.', 'posters --path /srv/posters ')
    .argument('<name>', 'its name for people')
    .option('--path <DIR>', 'A folder: its absolute path on the machine of the service.')
    .option('--archive <PATH>', 'A web archive (WARC) there, or a folder of them.')
    .option('--films <DIR>', 'The films of a folder there, by their stills.')
    .option('--url <URL...>', 'Pictures on the web, sitemaps, feeds and lists of addresses.')
    .option('--bucket <NAME>', 'A bucket; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have its key.')
    .option('--endpoint <URL>', 'Address of the service of the bucket.')
    .option('--region <NAME>', 'Region of the bucket. (default: us-east-1)')
    .option('--key-prefix <TEXT>', 'Beginning of the keys of the bucket to follow. (default: none)')
    .option('--prefix <TEXT>', 'Beginning of each image_id. (default: none)')
    .option('--keyword <WORDS...>', 'Keywords of its pictures.')
    .option('--interval <SECONDS>', 'Seconds between two passes. (default: 30)', whole(5, 31_536_000))
    .option('--writable', WRITABLE)
    .option('--dry-run', 'Say what would be added, and create nothing.')
    .action(async (name: string, options: AddOptions) => {
      const { prefix, keyword: keywords, interval } = options;
      const flags = { writable: options.writable ? 1 : 0, dry_run: options.dryRun ? 1 : 0 };
      const given = { name, ...placeOf(options), prefix, keywords, interval, ...flags };
      const { source, preview } = await ask(options, 'CreateSource', given);
      show(options, source ?? preview!);
    });
}

function placeOf({ path, archive, films, url: urls, bucket, endpoint, region, keyPrefix }: AddOptions): object {
  if ([path, archive, films, urls, bucket].filter((each) => each !== undefined).length !== 1) {
    throw new UsageError('expected one of --path, --archive, --films, --url and --bucket');
  }
  if (path !== undefined) return { kind: 'folder', path };
  if (archive !== undefined) return { kind: 'archive', path: archive };
  if (films !== undefined) return { kind: 'films', path: films };
  if (urls) return { kind: 'web', urls };
  const { AWS_ACCESS_KEY_ID: access_key, AWS_SECRET_ACCESS_KEY: secret_key } = process.env;
  return { kind: 'bucket', bucket, endpoint, region, key_prefix: keyPrefix, access_key, secret_key };
}

function listCommand(): Command {
  return about('list', 'List the sources.', '').action(async (options: Options) => {
    const { sources } = await ask(options, 'ListSources', {});
    if (options.json) return print(sources);
    writeList('source', sources, ({ name, application, kind, place, state, pictures, failed }) => {
      return { name, application, kind, place, state, pictures, failed };
    });
  });
}

function showCommand(): Command {
  return about('show', 'Describe a source, with the pictures that could not be read.', 'posters ')
    .argument('<source>', 'its name')
    .action(async (source: string, options: Options) => {
      const found = await ask(options, 'GetSource', { source });
      if (options.json) return print(found);
      show(options, found.source);
      writeTable(found.failures.map(({ key, code, message }) => ({ picture: key, code, why: message })));
    });
}

function runCommand(): Command {
  return about('run', 'Begin a pass soon.', 'posters ')
    .argument('<source>', 'its name')
    .option('--retry', 'Read pictures again that failed.')
    .option('--dry-run', 'Say what the pass would do, and change nothing.')
    .action(async (source: string, options: Options & { readonly retry?: boolean; readonly dryRun?: boolean }) => {
      const flags = { retry: options.retry ? 1 : 0, dry_run: options.dryRun ? 1 : 0 };
      const answer = await ask(options, 'RunSource', { source, ...flags });
      show(options, answer.preview ?? answer.source);
    });
}

function settingCommand(verb: string, description: string, setting: object): Command {
  return about(verb, description, 'posters ')
    .argument('<source>', 'its name')
    .action(async (source: string, options: Options) => {
      show(options, (await ask(options, 'SetSource', { source, ...setting })).source);
    });
}

function confirmCommand(): Command {
  return about('confirm', 'Agree to the removal that the question of a source names.', 'posters --removals 120 ')
    .argument('<source>', 'its name')
    .requiredOption('--removals <N>', 'As many as its question names.', whole(1, 999_999_999))
    .action(async (source: string, options: Options & { readonly removals: number }) => {
      show(options, (await ask(options, 'ConfirmSource', { source, removals: options.removals })).source);
    });
}

function removeCommand(): Command {
  return about('remove', 'Follow a source no longer.', 'posters --pictures keep ')
    .argument('<source>', 'its name')
    .addOption(
      new Option('--pictures <WHAT>', 'What happens to its pictures in the application.')
        .choices(['keep', 'remove'])
        .makeOptionMandatory(),
    )
    .action(async (source: string, options: Options & { readonly pictures: string }) => {
      show(options, (await ask(options, 'DeleteSource', { source, pictures: options.pictures })).source);
    });
}

type Operation = Extract<keyof Answers['administration'], `${string}Source${string}`>;

function ask<Name extends Operation>(
  options: Options,
  operation: Name,
  values: object,
): Promise<Answers['administration'][Name]> {
  const { application } = options;
  const given = { ...values, ...(application !== undefined && { application }) };
  return connect(options).ask('administration', operation, given as never) as never;
}

function show({ json }: Options, shown: Source | Preview): void {
  if (json) return print(shown);
  if (!('name' in shown)) return writeFields({ ...shown });
  const { name, application, kind, place, writable, state, pictures, failed, progress, fault, question } = shown;
  const left = progress.seconds_left === null ? '' : `, ${progress.seconds_left} s left`;
  writeFields({
    name,
    application,
    [kind]: place,
    ...(writable && { files: 'may be moved and deleted' }),
    state,
    pictures,
    failed,
    progress: `${progress.done} of ${progress.work}${left}`,
    ...(fault && { fault }),
    ...(question && { question: `remove ${question.removals} of ${question.of} pictures?` }),
  });
}
