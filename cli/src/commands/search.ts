import { readFileSync } from 'node:fs';
import type { Found, Image, Narrowing, Sosia } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, connect, whole, type ConnectionOptions } from '../connection/connection.ts';
import { withHelp } from '../help.ts';
import { messageOf } from '../terminal/message.ts';
import { addNarrowing } from '../connection/narrowing.ts';
import { print, logLine, visible } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { addressOf } from '../sources/ids.ts';
import { UsageError } from '../usage.ts';

interface SearchFlags extends ConnectionOptions, Narrowing {
  readonly id?: string;
  readonly dna?: string;
  readonly colors?: readonly string[];
  readonly count: number;
  readonly start: number;
  readonly colorWeight?: number;
  readonly explain?: boolean;
  readonly fold?: boolean;
}

export function searchCommand(): Command {
  const command = new Command('search')
    .description('Find the reference pictures that match a picture, or have keywords or colours.')
    .argument('[files...]', 'picture files, or addresses that the service fetches')
    .option('--id <ID>', 'Search with a reference picture.')
    .option('--dna <FILE>', 'Search with a DNA, as bytes or base64.');
  addNarrowing(command)
    .option('--colors <COLORS...>', 'Find these colours: rrggbb, or rrggbb@40 for 40 per cent. Color similarity.')
    .option('--count <N>', 'Number of results, 1 to 1000.', whole(1, 1000), 10)
    .option('--start <N>', 'Number of results to skip.', whole(0, 999_999_999), 0)
    .option('--color-weight <N>', '0 for shape to 100 for colour. Image Similarity.', whole(0, 100))
    .option('--explain', 'Show how many places agree.')
    .option('--fold', 'List copies of one picture as one result.');
  return withHelp(addConnection(command, ['query']), {
    examples: [
      'sosia search photo.jpg --app KEY',
      'sosia search *.jpg --app KEY --keywords poster --count 3',
      'sosia search --id posters/harbour.jpg --app KEY --explain',
      'sosia search --keywords poster 2019 --app KEY --json',
      'sosia search photo.jpg --app KEY --where agency=AP "year>=2020"',
      'sosia search --colors 0a3d62@40 ffffff --app KEY',
    ],
    notes: [
      'Keywords and ids restrict any search; keywords alone list the pictures that have them all. A score is 0 for the same picture and rises towards 1. With --json each search is one line. An empty result is no failure.',
    ],
  }).action((files: string[], options: SearchFlags) => search(files, options));
}

async function search(files: readonly string[], options: SearchFlags): Promise<void> {
  const searches = searchesOf(files, options);
  const sosia = connect(options);
  let failed = 0;
  for (const { what, ask } of searches) {
    try {
      const found = await ask(sosia);
      if (options.json) print({ ...what, ...found });
      else show(found, searches.length > 1 ? Object.values(what).join() : null, options);
    } catch (cause) {
      if (searches.length === 1) throw cause;
      failed++;
      logLine(visible(`${Object.values(what).join()}: ${messageOf(cause)}`));
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${searches.length} searches failed`);
}

interface Search {
  /** The query, for JSON. */
  readonly what: Readonly<Record<string, string>>;
  readonly ask: (sosia: Sosia) => Promise<Found>;
}

/** The search that the command line specifies: exactly one kind. */
function searchesOf(files: readonly string[], options: SearchFlags): Search[] {
  const { id, dna, keywords, colors, ids, where, start, count, colorWeight, explain, fold } = options;
  const page = { start, count, ...(ids && { ids }), ...(where && { where }) };
  const narrowed = { ...page, ...(keywords && { keywords }), ...(fold && { fold }) };
  const all = { ...narrowed, ...(colorWeight !== undefined && { colorWeight }), ...(explain && { explain }) };

  const ways: Search[][] = [];
  if (files.length > 0) {
    ways.push(
      files.map((file) => ({
        what: { file },
        ask: (sosia) => sosia.search(addressOf(file) ?? readFileSync(file), all),
      })),
    );
  }
  if (id !== undefined) ways.push([{ what: { id }, ask: (sosia) => sosia.searchById(id, all) }]);
  if (dna !== undefined) ways.push([{ what: { dna }, ask: (sosia) => sosia.searchByDna(readFileSync(dna), all) }]);
  if (colors) ways.push([{ what: {}, ask: (sosia) => sosia.searchByColors(colors, narrowed) }]);
  if (ways.length === 0 && keywords) {
    ways.push([{ what: {}, ask: (sosia) => sosia.searchByKeywords(keywords, page) }]);
  }
  if (ways.length === 1) return ways[0]!;
  throw new UsageError('Expected one of: files, --id, --dna, --colors, or --keywords alone.');
}

function show({ total, images, whyNot }: Found, name: string | null, { start, explain, fold }: SearchFlags): void {
  const from = start > 0 && images.length > 0 ? `, from the ${start + 1}. on` : '';
  const most = images.length < total && !fold ? `; ${images.length} listed${from}` : '';
  logLine(`${name ? `${visible(name)}: ` : ''}${total === 0 ? 'nothing found' : `${total} found${most}`}`);
  if (whyNot) logLine(visible(`${whyNot.id} is no match: ${whyNot.reason}`));
  const decided = images.some((image) => decisionOf(image) !== '');
  writeTable(
    images.map((image) => ({
      score: image.score.toFixed(4),
      ...(decided && { decision: decisionOf(image) }),
      ...(explain && { agree: image.explanation?.correspondences.length }),
      ...(fold && { copies: image.copies?.length }),
      id: image.id,
      keywords: image.keywords.join('; '),
    })),
  );
}

function decisionOf({ resultInfo }: Image): string {
  const decision = resultInfo && 'decision' in resultInfo ? resultInfo.decision : '';
  return decision.startsWith('Rejection') ? 'rejected' : decision;
}
