import { writeFileSync } from 'node:fs';
import { shippedProfiles, writeNetwork, writeProfile } from '@sosia/engine';
import { embeddingName } from '@sosia/server/store/embedding-network';
import type { ProfileRecord, SharedStore } from '@sosia/server';
import { Command } from 'commander';
import { existing } from '../../data-folder/folder.ts';
import { groupOf, withHelp } from '../../help.ts';
import { printLine } from '../../terminal/output.ts';
import { importCommand } from './import.ts';
import { printReport } from './report.ts';
import { trainCommand } from './train.ts';
import { choose } from '../../data-folder/records.ts';
import { addSettings } from '../../data-folder/settings.ts';
import { aligned } from '../../terminal/table.ts';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';

export function profileCommand(): Command {
  const parts = [
    trainCommand(),
    plain('list', 'List all profiles.', [], list),
    plain('show', 'Show the cross-validation of a profile.', ['name'], show),
    plain('export', 'Write a profile to a file.', ['name', 'file'], exportTo),
    importCommand(),
    plain('delete', 'Delete a profile.', ['name'], deleteProfile),
    useCommand(),
  ];
  const about = 'Train and manage the profiles of filter applications. Works beside a running server.';
  return groupOf('profile', about, parts, {
    examples: [
      'sosia profile train --name receipts --positive receipts/ --negative others/',
      'sosia profile show receipts --mistakes mistakes.jpg',
      'sosia profile use my-filter photograph receipts',
    ],
  });
}

async function list(store: SharedStore): Promise<void> {
  const shipped = shippedProfiles().map(({ name }) => [name, 'shipped', '']);
  const own = (await store.profiles.list()).map(({ profile, report }) => [
    profile.name,
    originOf({ profile, report }),
    report ? report.balancedAccuracy.toFixed(3) : '',
  ]);
  printLine(aligned([['name', 'origin', 'balanced accuracy'], ...shipped, ...own]).trimEnd());
}

function originOf({ profile, report }: Pick<ProfileRecord, 'profile' | 'report'>): string {
  if ('model' in profile) return profile.spec.output === 'embedding' ? 'embedding' : 'network';
  return report ? 'trained' : 'imported';
}

async function show(store: SharedStore, name: string, _: string, { mistakes }: { mistakes?: string }): Promise<void> {
  const found = await trained(store, name);
  printReport(found);
  if (!mistakes) return;
  if (found.mistakes.length === 0) throw new Error(`there is no contact sheet of ${name}`);
  writeFileSync(mistakes, found.mistakes);
}

async function exportTo(store: SharedStore, name: string, file: string): Promise<void> {
  const shipped = shippedProfiles().find((profile) => profile.name === name);
  const own = (await store.profiles.find(name))?.profile ?? shipped ?? (await trained(store, name)).profile;
  writeFileSync(file, 'model' in own ? writeNetwork(own) : writeProfile(own));
}

async function deleteProfile(store: SharedStore, name: string): Promise<void> {
  if ((await embeddingsOf(store)).has(name))
    throw new Error(`${name} is deleted with the last application that has it`);
  await store.profiles.delete(name);
}

/** The names of the networks that applications describe their pictures by. */
async function embeddingsOf(store: SharedStore): Promise<Set<string>> {
  return new Set(store.list().flatMap(({ network }) => (network ? embeddingName(network) : [])));
}

function useCommand(): Command {
  const command = new Command('use')
    .description('Set the profiles of a filter application.')
    .argument('<application>', 'its key, its name or its number')
    .argument('[names...]', 'profiles, in the order of the answer; none for none')
    .action((selector: string, names: string[]) =>
      withStore(command, existing, async (store) => {
        const known = new Set([...shippedProfiles(), ...(await store.profiles.names())].map((profile) => profile.name));
        const embeddings = await embeddingsOf(store);
        const unknown = names.filter((name) => !known.has(name) || embeddings.has(name));
        if (unknown.length > 0) throw new Error(`no profile is called ${unknown.join(' or ')}`);
        const record = choose(store.list(), selector);
        if (record.type !== 'filter')
          throw new Error(`expected a filter application, ${record.name} is of type ${record.type}`);
        await store.update(record.number, { profiles: names });
      }),
    );
  return withHelp(addSettings(command, placeSettings), {
    examples: ['sosia profile use my-filter photograph receipts'],
  });
}

type Work = (store: SharedStore, first: string, second: string, options: { mistakes?: string }) => Promise<void>;

function plain(verb: string, description: string, names: readonly string[], work: Work): Command {
  const command = new Command(verb).description(description);
  for (const name of names) command.argument(`<${name}>`);
  if (verb === 'show') command.option('--mistakes <FILE>', 'Write a contact sheet of the worst mistakes (JPEG).');
  command.action((...words: unknown[]) =>
    withStore(command, existing, (store) => work(store, words[0] as string, words[1] as string, command.opts())),
  );
  const example = ['sosia profile', verb, ...names.map((name) => exampleWords[name]!)].join(' ');
  return withHelp(addSettings(command, placeSettings), { examples: [example] });
}

const exampleWords: Readonly<Record<string, string>> = { name: 'receipts', file: 'receipts.profile' };

async function trained(store: SharedStore, name: string): Promise<ProfileRecord> {
  const found = await store.profiles.find(name);
  if (!found) throw new Error(`no trained or imported profile is called ${name}`);
  return found;
}
