import { createHash } from 'node:crypto';
import { errorCodes, sideBySide, SosiaError } from '@sosia/client';
import type { Image, Sosia } from '@sosia/client';
import { Command, Option } from 'commander';
import { addConnection, connect, share, whole } from '../../connection/connection.ts';
import type { ConnectionOptions } from '../../connection/connection.ts';
import { groupsOf } from './groups.ts';
import type { Group, Match } from './groups.ts';
import { withHelp } from '../../help.ts';
import { Journal } from '../../journal.ts';
import { counted, print, logLine } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { writeTable } from '../../terminal/table.ts';
import { UsageError } from '../../usage.ts';

interface DuplicatesOptions extends ConnectionOptions {
  readonly journal?: string;
  readonly notDuplicates?: readonly string[];
  readonly below?: number;
  readonly parallel: number;
}

/** The result of a search with one picture; or pictures that a person declared to be no duplicates of each other. */
type Line = Looked | { readonly apart: readonly string[] };

interface Looked {
  readonly looked: string;
  /** Digest of its DNA, since the picture of an id may change. */
  readonly dna?: string;
  /** All matches with a lower score are listed. */
  readonly below: number;
  /** With the digest of the other picture's DNA. */
  readonly matches: readonly (Match & { readonly dna?: string })[];
}

export function duplicatesCommand(): Command {
  const command = new Command('duplicates')
    .description('Find groups of pictures of an application that match each other.')
    .option('--journal <FILE>', 'Store what was compared and declared; the next run compares only new pictures.')
    .option(
      '--not-duplicates <IDS...>',
      'Declare that these are no duplicates of each other, and store that in the journal.',
    )
    .addOption(new Option('--below <SCORE>', 'Only matches with a score below, in (0, 1].').argParser(share))
    .addOption(new Option('--parallel <N>', 'Concurrent searches, 1 to 64.').argParser(whole(1, 64)).default(4));
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: [
      'sosia duplicates --app KEY',
      'sosia duplicates --app KEY --journal posters.duplicates --below 0.3',
      'sosia duplicates --app KEY --journal posters.duplicates --not-duplicates a b',
      'sosia duplicates --app KEY --json',
    ],
    notes: [
      'The command searches with each picture; pictures that match directly or through others form a group. The score is that of the best match in the group. On types with decisions, only Clone and Match count. Image Similarity and Color similarity give every picture a score, so they need --below. On Mobile Matching a stored picture cannot be a query, so there is no search for duplicates.',
      'Without --journal every run compares all pictures and stores nothing. A journal belongs to one application, and an interrupted run resumes. Changed pictures are detected by their DNA, so a run with a journal reads the DNA of all.',
      'Finding duplicates is no failure.',
    ],
  }).action((options: DuplicatesOptions) => duplicates(options));
}

async function duplicates(options: DuplicatesOptions): Promise<void> {
  const { notDuplicates: said, journal: path } = options;
  if (said && (path === undefined || said.length < 2)) {
    throw new UsageError('--not-duplicates needs --journal, which remembers it, and at least two ids.');
  }
  const application = createHash('sha256').update(options.app).digest('hex').slice(0, 16);
  const journal = path === undefined ? null : new Journal<Line>(path, 'application', { duplicates: 1, application });
  if (said) {
    journal!.add({ apart: said });
    return logLine(`remembered in ${path}`);
  }

  const sosia = connect(options);
  const lines = [...(journal?.lines ?? [])];
  const limit = options.below ?? 1;
  const present = await picturesOf(sosia, journal !== null, options.parallel);
  const holds = (line: Line): line is Looked => 'looked' in line && present.get(line.looked) === line.dna;
  const looked = new Set(lines.filter(holds).flatMap(({ below, looked }) => (below >= limit ? [looked] : [])));
  const fresh = [...present.keys()].filter((id) => !looked.has(id));

  const bar = progress('comparing pictures', fresh.length);
  for await (const line of sideBySide(fresh, options.parallel, (id) => look(sosia, id, present, options.below))) {
    if (line instanceof Error) throw line;
    bar.step();
    if (!line) continue;
    lines.push(line);
    journal?.add(line);
  }
  bar.end();

  const matches = lines
    .filter(holds)
    .flatMap(({ looked, matches }) => matches.filter(({ a, b, dna }) => present.get(a === looked ? b : a) === dna));
  const apart = lines.flatMap((line) => ('apart' in line ? [line.apart] : []));
  const groups = groupsOf(
    matches.filter(({ a, b, score }) => present.has(a) && present.has(b) && score < limit),
    apart,
  );
  if (options.json) groups.forEach((group) => print(group));
  else show(groups, present.size, fresh.length);
}

/** All pictures with digests of their DNA, undefined without a journal. */
async function picturesOf(
  sosia: Sosia,
  remembered: boolean,
  parallel: number,
): Promise<Map<string, string | undefined>> {
  const pictures = new Map<string, string | undefined>();
  if (!remembered) {
    for await (const { id } of sosia.images()) pictures.set(id, undefined);
    return pictures;
  }
  const bar = progress('reading DNA', await sosia.count());
  for await (const { id, dna } of sosia.imagesWithDna({}, { parallel })) {
    pictures.set(id, createHash('sha256').update(dna).digest('base64url').slice(0, 16));
    bar.step();
  }
  bar.end();
  return pictures;
}

const PAGE = 1000;

const { UNKNOWN_IMAGE } = errorCodes;

/**
 * An error is returned, not thrown, so that the concurrent searches finish.
 * @returns null for a picture that was deleted meanwhile
 */
async function look(
  sosia: Sosia,
  id: string,
  digests: ReadonlyMap<string, string | undefined>,
  below: number | undefined,
): Promise<Looked | Error | null> {
  const digestOf = (one: string): { dna?: string } => {
    const dna = digests.get(one);
    return dna === undefined ? {} : { dna };
  };
  try {
    const images: Image[] = [];
    for (;;) {
      const found = await sosia.searchById(id, { start: images.length, count: PAGE });
      images.push(...found.images);
      const last = found.images.at(-1);
      const decided = last === undefined || decisionOf(last) !== '';
      if (!decided && below === undefined) {
        throw new UsageError('Here every picture has a score: set the limit for duplicates with --below SCORE.');
      }
      const limit = decided ? 1 : below!; // few have a decision, and all of them are worth storing
      if (images.length < found.total && found.images.length > 0 && last!.score < limit) continue; // best first
      const others = images.filter((image) => image.id !== id && image.score < limit && isMatch(image));
      const matches = others.map((image) => ({ ...matchOf(id, image), ...digestOf(image.id) }));
      return { looked: id, ...digestOf(id), below: limit, matches };
    }
  } catch (cause) {
    return cause instanceof SosiaError && cause.code === UNKNOWN_IMAGE ? null : (cause as Error);
  }
}

function decisionOf({ resultInfo }: Image): string {
  return resultInfo && 'decision' in resultInfo ? resultInfo.decision : '';
}

/** Searches also list similar pictures and rejected ones. */
function isMatch(image: Image): boolean {
  return ['Clone', 'Match', ''].includes(decisionOf(image));
}

function matchOf(id: string, { id: other, score }: Image): Match {
  return id < other ? { a: id, b: other, score } : { a: other, b: id, score };
}

function show(groups: readonly Group[], pictures: number, compared: number): void {
  const inGroups = groups.reduce((sum, { pictures }) => sum + pictures.length, 0);
  logLine(`${counted(pictures, 'picture')}, ${compared.toLocaleString('en')} compared now`);
  logLine(
    groups.length === 0 ? 'no duplicates' : `${counted(inGroups, 'picture')} in ${counted(groups.length, 'group')}`,
  );
  if (groups.length === 0) return;
  const rows = groups.flatMap(({ pictures }, i) =>
    pictures.map(({ id, score }, place) => [place === 0 ? String(i + 1) : '', score.toFixed(4), id]),
  );
  writeTable(['group', 'score', 'id'], rows);
}
