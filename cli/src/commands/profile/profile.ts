import { writeFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import {
  shippedProfiles,
  writeNetwork,
  writeProfile,
  isNetwork,
  openNetwork,
  openProfile,
  MIN_PICTURES_PER_CLASS,
  isProfileName,
  train,
  type Network,
} from '@sosia/engine';
import { embeddingName } from '@sosia/server/store/embedding-network';
import type { ProfileRecord, SharedStore } from '@sosia/server';
import { Command, InvalidArgumentError } from 'commander';
import { existing } from '../../data-folder/folder.ts';
import { groupOf, withHelp } from '../../command.ts';
import { printLine, aligned, counted, logLine } from '../../terminal/output.ts';
import { printReport } from './report.ts';
import { choose, placeSettings, withStore, addSettings } from '../../data-folder/with-store.ts';
import { basename, join } from 'node:path';
import { OnnxRunner } from '@sosia/server/onnx/onnx-runner';
import { exportedBytes, isOnnxName, readOnnx } from '../../networks/network-file.ts';
import { createHash } from 'node:crypto';
import { MISTAKES_ON_SHEET, sheetOfMistakes } from '@sosia/server/decode/contact-sheet';
import { Decoder } from '@sosia/server/decode/decoder';
import { Failure } from '@sosia/server/errors';
import { progress } from '../../terminal/progress.ts';

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

interface ImportOptions {
  readonly name?: string;
  readonly description?: string;
}

const NSFWJS =
  'The script training/src/nsfwjs/profiles.ts of the repository makes profiles of the package nsfwjs; see docs/filter.md.';

function importCommand(): Command {
  const command = new Command('import')
    .description('Import an exported profile or an ONNX network.')
    .argument('<file>', 'an exported profile, or model.onnx with model.json beside it')
    .option('--name <NAME>', 'Name of the network in answers; by default that of its file.')
    .option(
      '--description <FILE>',
      'Description of input and output of the network; by default model.json for model.onnx.',
    )
    .action((file: string, options: ImportOptions) =>
      withStore(command, existing, async (store) => {
        const { name, description } = options;
        if (isOnnxName(file)) {
          const network = readOnnx(file, description === undefined ? {} : { description });
          return addNetwork(store, { name: name ?? basename(file).replace(/\.onnx$/i, ''), ...network });
        }
        if (name ?? description) throw new Error(`--name and --description are for .onnx files`);
        if (file === 'nsfwjs' && !existsSync(file)) throw new Error(NSFWJS);
        const block = exportedBytes(file);
        if (isNetwork(block)) return addNetwork(store, openNetwork(block));
        return store.profiles.add({ profile: openProfile(block), report: null, mistakes: new Uint8Array() });
      }),
    );
  return withHelp(addSettings(command, placeSettings), {
    examples: ['sosia profile import receipts.profile', 'sosia profile import model.onnx --name indoor'],
    notes: ['Networks need the optional package onnxruntime-web. docs/filter.md describes model.json.', NSFWJS],
  });
}

/** A network as printed by `show`. */
export function networkInWords({ name, spec, model }: Network): string {
  const { labels, positive, threshold, width, height, output } = spec;
  const size = width && height ? `, ${width} x ${height} pixels` : '';
  const megabytes = (model.length / 1e6).toFixed(1);
  if (output === 'embedding') return `${name}: a network for Image Similarity, ${megabytes} MB${size}\n`;
  return (
    `${name}: a network, ${megabytes} MB${size}, without a report\n` +
    `fits where ${positive.join(' or ')} of ${labels.join(', ')} has a probability over ${threshold}\n`
  );
}

/** Runs the network once before it is added with the size that it takes. */
async function addNetwork(store: SharedStore, network: Network): Promise<void> {
  const { name, spec } = network;
  if ((await store.profiles.names()).some((known) => known.name === name))
    throw new Error(`the profile ${name} exists already`);
  if (spec.output === 'embedding') throw new Error('an embedding is no profile; see sosia app create --network');
  const onnx = new OnnxRunner();
  try {
    const { width, height, milliseconds } = await onnx.trial(writeNetwork(network));
    const profile = { ...network, spec: { ...spec, width, height } };
    await store.profiles.add({ profile, report: null, mistakes: new Uint8Array() });
    printLine(`${networkInWords(profile)}takes ${Math.round(milliseconds)} ms a picture here`);
  } finally {
    await onnx.close();
  }
}

interface TrainOptions {
  readonly name: string;
  readonly positive: string;
  readonly negative: string;
}

interface Seen {
  readonly path: string;
  readonly embedding: Uint8Array;
}

function trainCommand(): Command {
  const command = new Command('train')
    .description('Train a profile from a folder of pictures that fit and a folder of pictures that do not.')
    .requiredOption('--name <NAME>', 'Name in answers.', nameOf)
    .requiredOption('--positive <DIR>', 'Pictures that fit.')
    .requiredOption('--negative <DIR>', 'Pictures that do not.')
    .action((options: TrainOptions) =>
      withStore(
        command,
        (data) => data,
        (store) => learn(store, options),
      ),
    );
  return withHelp(addSettings(command, [...placeSettings]), {
    examples: ['sosia profile train --name receipts --positive receipts/ --negative others/'],
  });
}

async function learn(store: SharedStore, { name, positive, negative }: TrainOptions): Promise<void> {
  if ((await store.profiles.names()).some((other) => other.name === name))
    throw new Error(`the profile ${name} exists already`);
  const folders = [positive, negative].map(picturesIn);
  requireEnough(folders.map((paths) => paths.length));
  const decoder = await Decoder.start({ children: 1 });
  try {
    const [fitting, others] = (await lookAt(decoder, withoutCopies(folders))) as [Seen[], Seen[]];
    requireEnough([fitting.length, others.length]);
    const all = [...fitting, ...others];
    logLine(`learning from ${counted(all.length, 'picture')}`);
    const embeddingsOf = (seen: Seen[]): Uint8Array[] => seen.map(({ embedding }) => embedding);
    const { profile, report } = train(name, embeddingsOf(fitting), embeddingsOf(others));
    const pathOf = (picture: number): string => all[picture]!.path;
    const worst = report.mistakes.slice(0, MISTAKES_ON_SHEET).map(({ picture }) => pathOf(picture));
    const mistakes = await sheetOfMistakes(decoder, report.mistakes, (picture) => readFileSync(pathOf(picture)));
    await store.profiles.add({ profile, report: { ...report, worst }, mistakes });
    printReport((await store.profiles.find(name))!);
  } finally {
    await decoder.close();
  }
}

async function lookAt(decoder: Decoder, folders: readonly (readonly string[])[]): Promise<Seen[][]> {
  const bar = progress('looking at pictures', folders.flat().length);
  const left: string[] = [];
  const seen: Seen[][] = [];
  for (const paths of folders) {
    const usable: Seen[] = [];
    for (const path of paths) {
      try {
        usable.push({ path, embedding: await decoder.describe(readFileSync(path), 'filter', 'reference') });
      } catch (cause) {
        if (!(cause instanceof Failure)) throw cause;
        left.push(`left out: ${path}: ${cause.message}`);
      }
      bar.step();
    }
    seen.push(usable);
  }
  bar.end();
  left.forEach(logLine); // not before: a line would appear inside the bar
  return seen;
}

/**
 * Without second copies of a file, which would reveal the first, and without files of both folders, which add nothing.
 */
function withoutCopies(folders: readonly (readonly string[])[]): string[][] {
  const found = new Map<string, { path: string; folder: number }[]>();
  folders.forEach((paths, folder) => {
    for (const path of paths) {
      const digest = createHash('sha256').update(readFileSync(path)).digest('base64');
      found.set(digest, [...(found.get(digest) ?? []), { path, folder }]);
    }
  });
  const kept: string[][] = folders.map(() => []);
  for (const [first, ...copies] of found.values()) {
    const elsewhere = copies.find(({ folder }) => folder !== first!.folder);
    if (elsewhere) logLine(`left out: ${first!.path}: it fits and does not, it is ${elsewhere.path} too`);
    else {
      kept[first!.folder]!.push(first!.path);
      for (const { path } of copies) logLine(`left out: ${path}: it is ${first!.path} once more`);
    }
  }
  return kept;
}

function requireEnough([fitting, others]: readonly number[]): void {
  if (Math.min(fitting!, others!) >= MIN_PICTURES_PER_CLASS) return;
  throw new Error(
    `expected at least ${MIN_PICTURES_PER_CLASS} pictures that fit and ${MIN_PICTURES_PER_CLASS} that do not, got ${fitting} and ${others}`,
  );
}

function picturesIn(directory: string): string[] {
  if (!statSync(directory).isDirectory()) throw new Error(`expected a folder of pictures, ${directory} is a file`);
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(jpe?g|png|webp|gif|bmp|tiff?|heic|avif)$/i.test(name))
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

function nameOf(name: string): string {
  if (isProfileName(name)) return name;
  throw new InvalidArgumentError('expected lower-case letters, digits, - and _, at most 64.');
}
