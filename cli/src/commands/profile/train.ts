import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MIN_PICTURES_PER_CLASS, isProfileName, profileNameRule, train } from '@sosia/engine';
import { MISTAKES_ON_SHEET, sheetOfMistakes } from '@sosia/server/decode/contact-sheet';
import { Decoder } from '@sosia/server/decode/decoder';
import { Failure } from '@sosia/server/errors';
import { Command, InvalidArgumentError } from 'commander';
import { withHelp } from '../../help.ts';
import { counted, logLine } from '../../terminal/output.ts';
import { printReport } from './report.ts';
import { progress } from '../../terminal/progress.ts';
import { addSettings } from '../../data-folder/settings.ts';
import type { SharedStore } from '@sosia/server';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';

interface TrainOptions {
  readonly name: string;
  readonly positive: string;
  readonly negative: string;
}

interface Seen {
  readonly path: string;
  readonly embedding: Uint8Array;
}

export function trainCommand(): Command {
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
    if (elsewhere) logLine(`left out: ${first!.path}: the other folder has the same file, ${elsewhere.path}`);
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
  throw new InvalidArgumentError(`expected ${profileNameRule}.`);
}
