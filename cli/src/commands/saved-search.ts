import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { relations, type Relation, type SavedQuery } from '@sosia/client';
import { commandsOf, connect, deletes, whole, type ConnectionOptions } from '../connection/connection.ts';
import { groupOf } from '../help.ts';
import { idOfFile } from '../sources/ids.ts';
import { counted, print, printOutcome } from '../terminal/output.ts';
import { writeList } from '../terminal/table.ts';
import { UsageError } from '../usage.ts';

export function savedSearchCommand(): Command {
  const about = 'Manage saved searches: each added picture that one finds is an event.';
  return groupOf('saved-search', about, [addCommand(), listCommand(), deleteCommand()], {
    examples: ['sosia saved-search add logo.png --app KEY', 'sosia events --app KEY --follow'],
    notes: ['docs/events.md describes saved searches and events.'],
  });
}

const managing = commandsOf('saved-search');

const decisions = ['Clone', 'Match', 'Similar'] as const;

interface AddOptions extends ConnectionOptions {
  readonly id?: string;
  readonly picturesOf?: string;
  readonly reference?: boolean;
  readonly decision?: (typeof decisions)[number];
  readonly minSimilarity?: number;
  readonly relation?: Relation;
  readonly keywords?: readonly string[];
  readonly where?: readonly string[];
  readonly existing?: boolean;
}

function addCommand(): Command {
  return managing('add', 'Save a search for a picture.', 'logo.png')
    .argument('[picture]', 'a file; with --reference the id of a reference picture')
    .option('--reference', 'Search for a reference picture of the application.')
    .option('--pictures-of <KEY>', 'Search for every picture of another application, by a key of it; needs --id.')
    .option(
      '--id <ID>',
      'Name of the search. (default: the path of the file without ./ and ../ before it, of an absolute path the last name, or the id of the picture)',
    )
    .addOption(
      new Option('--decision <DECISION>', 'The weakest decision that is an event. (default: Match)').choices(decisions),
    )
    .option('--min-similarity <N>', 'Only events of this similarity or a higher one, in per cent.', whole(0, 100))
    .addOption(
      new Option(
        '--relation <RELATION>',
        'The only relation that is an event, with any decision unless --decision is given.',
      ).choices(relations),
    )
    .option('--keywords <KEYWORDS...>', 'Only pictures with all of these.')
    .option('--where <CONDITIONS...>', 'Only pictures whose metadata meet all of these, such as "year>=2020".')
    .option(
      '--existing',
      'The best 200 matches among the present pictures are events, too; with --pictures-of all matches, in the background.',
    )
    .action(async (picture: string | undefined, options: AddOptions) => {
      const { id, query } = searchFor(picture, options);
      const events = await connect(options).events.save(id, query, options);
      const found = 'key' in query ? 'in the background: events' : counted(events, 'event');
      printOutcome(
        options.json,
        { saved: id, events },
        `saved: ${id}${options.existing ? `, ${found} of present pictures` : ''}`,
      );
    });
}

function searchFor(
  picture: string | undefined,
  { id, picturesOf, reference }: AddOptions,
): { readonly id: string; readonly query: SavedQuery } {
  if (picturesOf !== undefined) {
    if (picture !== undefined || id === undefined) throw new UsageError('--pictures-of: expected --id and no picture');
    return { id, query: { key: picturesOf } };
  }
  if (picture === undefined) throw new UsageError('expected a picture or --pictures-of');
  if (reference) return { id: id ?? picture, query: { id: picture } };
  return { id: id ?? idOfFile(picture), query: { picture: readFileSync(picture) } };
}

function listCommand(): Command {
  return managing('list', 'List the saved searches.', '--app KEY').action(async (options: ConnectionOptions) => {
    const { events } = connect(options);
    const searches = await events.searches();
    for (let page = searches; page.length === 1000;) {
      page = await events.searches({ start: searches.length });
      searches.push(...page);
    }
    if (options.json) return searches.forEach((search) => print(search));
    writeList('saved search', searches, ({ id, application, fault, existing, added, who, ...search }) => {
      const { decision, relation, min_similarity, keywords, where = [] } = search;
      const words = { keywords: keywords.join(' '), metadata: where.join(' ') };
      const conditions = { decision, relation, similarity: `${min_similarity} %`, ...words };
      const compared = existing && `${existing.compared} present pictures so far`;
      return { id, ...conditions, 'pictures of': application, fault, compared, added, who };
    });
  });
}

function deleteCommand(): Command {
  const command = managing('delete', 'Delete a saved search; its events remain.', 'logo.png');
  return deletes(command.argument('<id>', 'its name'), ({ events }, id) => events.delete(id));
}
