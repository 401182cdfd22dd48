import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProfileName, shippedProfiles, train, writeNetwork, writeProfile } from '@sosia/engine';
import { contactSheet, DecoderPool, Failure } from '@sosia/server';
import type { ApplicationStore, ProfileRecord } from '@sosia/server';
import { Command, InvalidArgumentError } from 'commander';
import { existing } from './folder.ts';
import { withHelp } from './help.ts';
import { progress } from './progress.ts';
import { tell } from './output.ts';
import { importCommand, networkInWords } from './profile-import.ts';
import { choose } from './records.ts';
import { addSettings } from './settings.ts';
import { aligned } from './table.ts';
import { withStore } from './with-store.ts';

/** Mistakes on the contact sheet. */
const SHOWN = 24;

export function profileCommand(): Command {
  return withHelp(
    new Command('profile')
      .description('Train and manage the profiles of filter applications. Works beside a running server.')
      .addCommand(trainCommand())
      .addCommand(plain('list', 'List all profiles.', [], list))
      .addCommand(plain('show', 'Show how a profile did in cross-validation.', ['name'], show))
      .addCommand(plain('export', 'Write a profile to a file.', ['name', 'file'], exportTo))
      .addCommand(importCommand())
      .addCommand(plain('delete', 'Delete a profile.', ['name'], (store, name) => store.profiles.delete(name!)))
      .addCommand(useCommand()),
    {
      examples: [
        'sosia profile train --name receipts --positive receipts/ --negative others/',
        'sosia profile show receipts --mistakes mistakes.jpg',
        'sosia profile use my-filter photograph receipts',
      ],
    },
  );
}

interface TrainOptions {
  readonly name: string;
  readonly positive: string;
  readonly negative: string;
}

function trainCommand(): Command {
  const command = new Command('train')
    .description('Learn a profile from a folder of pictures that fit and a folder of pictures that do not.')
    .requiredOption('--name <NAME>', 'What it is called in answers.', nameOf)
    .requiredOption('--positive <DIR>', 'Pictures that fit.')
    .requiredOption('--negative <DIR>', 'Pictures that do not.')
    .action((options: TrainOptions) =>
      withStore(
        command,
        (data) => data,
        (store) => learn(store, options),
      ),
    );
  return withHelp(addSettings(command, ['data']), {
    examples: ['sosia profile train --name receipts --positive receipts/ --negative others/'],
  });
}

async function learn(store: ApplicationStore, { name, positive, negative }: TrainOptions): Promise<void> {
  if (store.profiles.find(name)) throw new Error(`the profile ${name} exists already`);
  const decoder = await DecoderPool.start({ children: 1 });
  try {
    const files = [picturesIn(positive), picturesIn(negative)];
    const bar = progress('looking at pictures', files.flat().length);
    const described: { path: string; looks: Uint8Array }[][] = [];
    for (const paths of files) {
      const usable = [];
      for (const path of paths) {
        try {
          usable.push({ path, looks: await decoder.describe(readFileSync(path), 'filter', 'reference') });
        } catch (cause) {
          if (!(cause instanceof Failure)) throw cause;
          tell(`left out: ${path}: ${cause.message}`);
        }
        bar.step();
      }
      described.push(usable);
    }
    bar.end();
    const [fitting, others] = described.map((each) => each.map(({ looks }) => looks));
    const { profile, report } = train(name, fitting!, others!);
    const paths = described.flat().map(({ path }) => path);
    const worst = report.mistakes.slice(0, SHOWN).map(({ picture }) => readFileSync(paths[picture]!));
    const mistakes = worst.length > 0 ? await contactSheet(decoder, worst) : new Uint8Array();
    store.profiles.add({ profile, report, mistakes });
    print(store.profiles.find(name)!);
  } finally {
    await decoder.close();
  }
}

function list(store: ApplicationStore): void {
  const shipped = shippedProfiles().map(({ name }) => [name, 'shipped', '']);
  const own = store.profiles
    .list()
    .map(({ profile, report }) => [
      profile.name,
      'model' in profile ? 'network' : report ? 'trained' : 'imported',
      report ? report.balancedAccuracy.toFixed(3) : '',
    ]);
  process.stdout.write(aligned([['name', 'origin', 'balanced accuracy'], ...shipped, ...own]));
}

function show(store: ApplicationStore, name: string, _: string, { mistakes }: { mistakes?: string }): void {
  const found = trained(store, name);
  print(found);
  if (mistakes) writeFileSync(mistakes, found.mistakes);
}

function exportTo(store: ApplicationStore, name: string, file: string): void {
  const shipped = shippedProfiles().find((profile) => profile.name === name);
  const own = store.profiles.find(name)?.profile ?? shipped ?? trained(store, name).profile;
  writeFileSync(file, 'model' in own ? writeNetwork(own) : writeProfile(own));
}

function useCommand(): Command {
  const command = new Command('use')
    .description('Set the profiles that a filter application scores pictures by.')
    .argument('<application>', 'its key, its name or its number')
    .argument('[names...]', 'profiles, in the order of the answer; none for none')
    .action((selector: string, names: string[]) =>
      withStore(command, existing, (store) => {
        const known = new Set([...shippedProfiles(), ...store.profiles.names()].map((profile) => profile.name));
        const unknown = names.filter((name) => !known.has(name));
        if (unknown.length > 0) throw new Error(`no profile is called ${unknown.join(' or ')}`);
        const record = choose(store.list(), selector);
        if (record.type !== 'filter')
          throw new Error(`expected a filter application, ${record.name} is of type ${record.type}`);
        store.update(record.number, { profiles: names });
      }),
    );
  return withHelp(addSettings(command, ['data']), { examples: ['sosia profile use my-filter photograph receipts'] });
}

type Work = (store: ApplicationStore, first: string, second: string, options: { mistakes?: string }) => void;

function plain(verb: string, description: string, names: readonly string[], work: Work): Command {
  const command = new Command(verb).description(description);
  for (const name of names) command.argument(`<${name}>`);
  if (verb === 'show') command.option('--mistakes <FILE>', 'Write a contact sheet of the worst mistakes (JPEG).');
  command.action((...words: unknown[]) =>
    withStore(command, existing, (store) => work(store, words[0] as string, words[1] as string, command.opts())),
  );
  const example = ['sosia profile', verb, ...names.map((name) => exampleWords[name]!)].join(' ');
  return withHelp(addSettings(command, ['data']), { examples: [example] });
}

const exampleWords: Readonly<Record<string, string>> = { name: 'receipts', file: 'receipts.profile' };

function print({ profile, report }: ProfileRecord): void {
  if ('model' in profile) return void process.stdout.write(networkInWords(profile));
  if (!report) return void process.stdout.write(`${profile.name}: imported, without a report\n`);
  const { positives, negatives, balancedAccuracy, area, byThreshold, mistakes } = report;
  process.stdout.write(
    `${profile.name}: ${positives} pictures that fit, ${negatives} that do not; each scored by a model that has not seen it\n` +
      `balanced accuracy ${balancedAccuracy.toFixed(3)}, area under the curve ${area.toFixed(3)}, ${mistakes.length} mistakes\n` +
      aligned([
        ['threshold', 'precision', 'recall'],
        ...byThreshold.map((row) => [row.threshold, row.precision, row.recall].map((value) => value.toFixed(2))),
      ]),
  );
}

function trained(store: ApplicationStore, name: string): ProfileRecord {
  const found = store.profiles.find(name);
  if (!found) throw new Error(`no trained or imported profile is called ${name}`);
  return found;
}

function picturesIn(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(jpe?g|png|webp|gif|bmp|tiff?|heic|avif)$/i.test(name))
    .sort()
    .map((name) => join(directory, name));
}

function nameOf(name: string): string {
  if (isProfileName(name)) return name;
  throw new InvalidArgumentError('expected lower-case letters, digits, - and _, at most 64.');
}
