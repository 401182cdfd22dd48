import {
  appendFileSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { errorCodes, SosiaError, type Sosia, type Verdict } from '@sosia/client';
import { Command } from 'commander';
import { addConnection, connect, type ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { counted, logLine, print, printLine, visible } from '../../terminal/output.ts';
import { UsageError } from '../../usage.ts';

interface ApplyOptions extends ConnectionOptions {
  readonly trash?: string;
  readonly undo?: boolean;
}

/** The file of a picture that verdicts removed. */
interface RemovedFile {
  readonly id: string;
  /** The id of the picture that stays. */
  readonly kept: string;
  readonly path: string;
}

/** In the trash folder: the moved files, one JSON value a line. */
const RECORD = 'moved.jsonl';

export function applyCommand(): Command {
  const command = new Command('apply')
    .description('List the files of the pictures that verdicts removed, or move them to a trash folder.')
    .argument('<folder>', 'the folder from which the pictures were added; ids are paths in it')
    .option('--trash <FOLDER>', 'Move the files there, with their paths; nothing is deleted.')
    .option('--undo', 'Move the files of the trash folder back.');
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: [
      'sosia review apply pictures --app KEY > files.txt',
      'sosia review apply pictures --trash pictures-trash --app KEY',
      'sosia review apply pictures --trash pictures-trash --undo --app KEY',
    ],
    notes: [
      'A file stays where the picture is in the application again, where the picture to keep has no file, and where the file was changed after the verdict; each is named.',
    ],
  }).action((folder: string, options: ApplyOptions) => apply(folder, options));
}

async function apply(folder: string, { trash, undo, json, ...connection }: ApplyOptions): Promise<void> {
  if (undo && trash === undefined)
    throw new UsageError('--undo needs --trash FOLDER, from which the files are moved back.');
  if (undo) {
    const back = movedIn(trash!).filter(({ id }) => moved(join(trash!, id), join(folder, id)));
    return logLine(`${counted(back.length, 'file')} moved back to ${visible(folder)}`);
  }
  const files = await removedFiles(connect(connection), folder);
  if (trash === undefined) {
    for (const file of files)
      if (json) print(file);
      else printLine(visible(file.path));
    return logLine(`${counted(files.length, 'file')}; nothing was moved`);
  }
  mkdirSync(trash, { recursive: true });
  appendFileSync(join(trash, RECORD), ''); // so that an undo knows the folder though nothing is moved
  let count = 0;
  for (const { id, kept, path } of files) {
    appendFileSync(join(trash, RECORD), `${JSON.stringify({ id, kept })}\n`);
    if (moved(path, join(trash, id))) count++;
  }
  if (json) print({ moved: count, trash });
  logLine(`${counted(count, 'file')} moved to ${visible(trash)}; --undo moves them back`);
}

async function removedFiles(sosia: Sosia, folder: string): Promise<RemovedFile[]> {
  const root = realpathSync(folder);
  const verdicts: Verdict[] = [];
  for await (const verdict of sosia.review.verdicts({ verdict: 'keep' })) verdicts.push(verdict);
  const keptFor = new Map(
    verdicts.flatMap(({ images, kept, at }) =>
      images.filter((id) => id !== kept).map((id) => [id, { kept: kept!, at }] as const),
    ),
  );
  const files: RemovedFile[] = [];
  for (const [id, { at }] of keptFor) {
    const path = fileIn(root, id);
    if (!path) continue;
    const kept = lastKept(id, keptFor);
    const why = !fileIn(root, kept)
      ? `${kept}, which stays, has no file`
      : lstatSync(path).mtimeMs > Date.parse(at)
        ? 'it was changed after the verdict'
        : (await isPresent(sosia, id))
          ? 'the application has it again'
          : undefined;
    if (why === undefined) files.push({ id, kept, path: join(folder, relative(root, path)) });
    else logLine(visible(`${id} stays: ${why}`));
  }
  return files;
}

/** The picture that stays, also where a later verdict removed the one kept first. */
function lastKept(id: string, keptFor: ReadonlyMap<string, { readonly kept: string }>): string {
  const seen = new Set<string>();
  let last = id;
  for (let next = keptFor.get(last); next && !seen.has(last); next = keptFor.get(last)) {
    seen.add(last);
    last = next.kept;
  }
  return last;
}

/** A file that lies in the folder, without links that lead out of it. */
function fileIn(root: string, id: string): string | undefined {
  const path = resolve(root, id);
  if (!path.startsWith(root + sep) || !existsSync(path) || !lstatSync(path).isFile()) return undefined;
  return realpathSync(path) === path ? path : undefined;
}

async function isPresent(sosia: Sosia, id: string): Promise<boolean> {
  try {
    await sosia.image(id);
    return true;
  } catch (cause) {
    if (cause instanceof SosiaError && cause.code === errorCodes.UNKNOWN_IMAGE) return false;
    throw cause;
  }
}

function movedIn(trash: string): { readonly id: string }[] {
  const path = join(trash, RECORD);
  if (!existsSync(path)) throw new Error(`${trash} is no trash folder of a review: it has no ${RECORD}`);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const all = lines.map((line) => JSON.parse(line) as { id: string });
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

/** Never overwrites a file. @returns whether there was a file to move and its new place was free */
function moved(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  if (existsSync(to)) {
    logLine(visible(`${from} stays: ${to} exists`));
    return false;
  }
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause;
    copyFileSync(from, to, constants.COPYFILE_EXCL); // another file system
    rmSync(from);
  }
  return true;
}
