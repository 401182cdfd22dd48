import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { GroupOptions, Review, ReviewGroup, ReviewProgress, VerdictName } from '@sosia/client';
import { Argument, Command, Option } from 'commander';
import { commandsOf, connect, whole, type ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { counted, logLine, print, printOutcome } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { writeFields, writeTable } from '../../terminal/table.ts';
import { UsageError } from '../../usage.ts';
import { filesOption, report, type FileChoice } from '../files.ts';
import { applyCommand } from './apply.ts';
import { exportCommand, importCommand } from './transfer.ts';

const kinds = ['duplicates', 'similar', 'wrong'] as const;

/** Milliseconds between two looks at the progress. */
const LOOK = 500;

export function reviewCommand(): Command {
  const command = new Command('review')
    .description(
      'Review duplicates, similar pictures and false matches of an application; verdicts are stored with it.',
    )
    .addCommand(startCommand())
    .addCommand(reviewing('stop', 'Stop the comparison; `start` continues it.', '--app KEY').action(stop))
    .addCommand(reviewing('status', 'Show the progress.', '--app KEY').action(status))
    .addCommand(groupsCommand())
    .addCommand(judgeCommand())
    .addCommand(undoCommand())
    .addCommand(reviewing('verdicts', 'List the verdicts, the latest first.', '--app KEY').action(list))
    .addCommand(wrongCommand())
    .addCommand(applyCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand());
  return withHelp(command, {
    examples: [
      'sosia review start --app KEY --wait',
      'sosia review groups --app KEY',
      'sosia review judge keep 0123456789abcdef --app KEY',
    ],
    notes: [
      'The console shows the same groups with their pictures. docs/ignoring.md describes the effect of verdicts.',
    ],
  });
}

const reviewing = commandsOf('review');

interface StartOptions extends ConnectionOptions {
  readonly again?: boolean;
  readonly wait?: boolean;
}

function startCommand(): Command {
  const about = 'Compare the new pictures with all others, in the background of the service.';
  return reviewing('start', about, '--app KEY --wait')
    .option('--again', 'Compare all pictures, not only new ones.')
    .option('--wait', 'Wait for the end of the comparison.')
    .action(async ({ again = false, wait, ...options }: StartOptions) => {
      const { review } = connect(options);
      const begun = await review.start({ again });
      show(wait ? await ended(review, begun) : begun, options);
    });
}

async function ended(review: Review, begun: ReviewProgress): Promise<ReviewProgress> {
  const bar = progress('comparing pictures', begun.pictures);
  let shown = 0;
  for (let now = begun; ; now = await review.progress()) {
    for (; shown < now.compared; shown++) bar.step();
    if (now.state !== 'running') {
      bar.end();
      return now;
    }
    await pause(LOOK);
  }
}

async function stop(options: ConnectionOptions): Promise<void> {
  show(await connect(options).review.stop(), options);
}

async function status(options: ConnectionOptions): Promise<void> {
  show(await connect(options).review.progress(), options);
}

function show(now: ReviewProgress, { json }: ConnectionOptions): void {
  if (json) print(now);
  else writeFields(now);
}

interface GroupsOptions extends ConnectionOptions {
  readonly kind: ReviewGroup['kind'];
  readonly later?: boolean;
  readonly count: number;
  readonly start: number;
}

function groupsCommand(): Command {
  const about = 'List groups of pictures to judge, with the picture that is proposed to keep.';
  return reviewing('groups', about, '--app KEY', '--kind wrong --app KEY --json')
    .addOption(new Option('--kind <KIND>', 'Which groups.').choices(kinds).default('duplicates'))
    .option('--later', 'Groups that were put off.')
    .option('--count <N>', 'Number of groups, 1 to 1000.', whole(1, 1000), 50)
    .option('--start <N>', 'Number of groups to skip.', whole(0, 999_999_999), 0)
    .action(async ({ kind, later, count, start, ...options }: GroupsOptions) => {
      const state = later ? 'later' : 'open';
      const { total, groups } = await connect(options).review.groups({ kind, state, count, start });
      if (options.json) return groups.forEach((group) => print(group));
      logLine(counted(total, 'group'));
      writeTable(groups.flatMap(rowsOf));
    });
}

function rowsOf({ id, images, keep, query }: ReviewGroup): Record<string, string>[] {
  const rows = images.map((image, i) => ({
    group: i === 0 ? id : '',
    keep: image.id === keep ? 'keep' : '',
    size: image.width === null ? '' : `${image.width} x ${image.height}`,
    similarity: image.id === keep ? '' : `${image.similarity} %`,
    decision: image.decision as string,
    id: image.id,
  }));
  return query ? [...rows, { decision: 'query', id: query.id }] : rows;
}

interface JudgeOptions extends ConnectionOptions {
  readonly keep?: string;
  readonly all?: ReviewGroup['kind'];
  readonly matches?: boolean;
  readonly files: FileChoice;
}

function judgeCommand(): Command {
  return reviewing(
    'judge',
    'Judge groups.',
    'keep 0123456789abcdef',
    'different 0123456789abcdef fedcba9876543210',
    'keep --all duplicates',
  )
    .addArgument(
      new Argument('<verdict>', 'keep removes all pictures but one').choices(['keep', 'different', 'ignore', 'later']),
    )
    .argument('[groups...]', 'ids of groups')
    .option('--keep <ID>', 'The picture to keep; by default the proposal of each group.')
    .addOption(new Option('--all <KIND>', 'Judge all open groups; with keep, those of Clones alone.').choices(kinds))
    .option('--matches', 'With keep and --all: also groups of Matches with a similarity of 80 or more.')
    .addOption(filesOption())
    .action(
      async (verdict: VerdictName, ids: string[], { keep, all, matches, files: choice, ...options }: JudgeOptions) => {
        if (ids.length > 0 === (all !== undefined)) throw new UsageError('Give either ids of groups or --all KIND.');
        const { review } = connect(options);
        const bulk = verdict === 'keep' ? { bulk: matches ? ('matches' as const) : ('clones' as const) } : {};
        const chosen = all === undefined ? ids : await openGroups(review, { kind: all, ...bulk });
        const given = { files: choice, ...(keep !== undefined && { keep }) };
        const { verdicts, removed, files } = await review.judge(chosen, verdict, given);
        const line = `${counted(verdicts.length, 'verdict')}, ${counted(removed, 'picture')} removed`;
        printOutcome(options.json, { verdicts, removed, ...(files && { files }) }, line);
        report(choice, files);
      },
    );
}

async function openGroups(review: Review, which: GroupOptions): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { total, groups } = await review.groups({ ...which, start: ids.length, count: 1000 });
    ids.push(...groups.map(({ id }) => id));
    if (groups.length === 0 || ids.length >= total) return ids;
  }
}

function undoCommand(): Command {
  const about = 'Take verdicts back; removed pictures are added again, and their files leave the trash.';
  return reviewing('undo', about, '00000001')
    .argument('<verdicts...>', 'their ids, as `judge` and `verdicts` print them')
    .action(async (ids: string[], options: ConnectionOptions) => {
      const { restored, files } = await connect(options).review.undo(ids);
      printOutcome(options.json, { restored, files }, `${counted(restored, 'picture')} added again`);
      report('keep', files);
    });
}

async function list(options: ConnectionOptions): Promise<void> {
  const rows: Record<string, string>[] = [];
  for await (const verdict of connect(options).review.verdicts()) {
    const { id, verdict: what, at, who, images } = verdict;
    if (options.json) print(verdict);
    else rows.push({ verdict: id, what, at, who, pictures: images.join(' ') });
  }
  writeTable(rows);
}

interface WrongOptions extends ConnectionOptions {
  readonly query?: string;
  readonly picture?: string;
}

function wrongCommand(): Command {
  const examples = ['harbour.jpg --picture photo.jpg', 'harbour.jpg --query bridge.jpg'];
  return reviewing('wrong', 'Mark a match as wrong, for a review.', ...examples)
    .argument('<id>', 'the reference picture')
    .option('--query <ID>', 'The other reference picture.')
    .option('--picture <FILE>', 'The picture of the search.')
    .action(async (id: string, { query, picture, ...options }: WrongOptions) => {
      if ((query === undefined) === (picture === undefined)) throw new UsageError('Give either --query or --picture.');
      const other = query !== undefined ? { id: query } : { picture: readFileSync(picture!) };
      const group = await connect(options).review.markWrong(id, other);
      printOutcome(options.json, { group }, `group ${group}`);
    });
}
