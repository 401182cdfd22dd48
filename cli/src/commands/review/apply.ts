import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { errorCodes, SosiaError, type Sosia, type Verdict } from '@sosia/client';
import { moveItem, TRASH } from '@sosia/server/sources/trash';
import { Command } from 'commander';
import { addConnection, connect, type ConnectionOptions } from '../../connection/connection.ts';
import { withHelp } from '../../help.ts';
import { counted, logLine, print, printLine, visible } from '../../terminal/output.ts';

interface ApplyOptions extends ConnectionOptions {
  readonly trash?: boolean;
  readonly undo?: boolean;
}

/** The file of a picture that verdicts removed. */
interface RemovedFile {
  readonly id: string;
  /** The id of the picture that stays. */
  readonly kept: string;
  readonly path: string;
}

export function applyCommand(): Command {
  const command = new Command('apply')
    .description('List the files of the pictures that verdicts removed, or move them to a trash folder.')
    .argument('<folder>', 'the folder from which the pictures were added; ids are paths in it')
    .option('--trash', `Move the files to ${TRASH} in the folder, with their paths; nothing is deleted.`)
    .option('--undo', `Move all files of ${TRASH} back.`);
  return withHelp(addConnection(command, ['modify', 'query']), {
    examples: [
      'sosia review apply pictures --app KEY > files.txt',
      'sosia review apply pictures --trash --app KEY',
      'sosia review apply pictures --undo --app KEY',
    ],
    notes: [
      'A file stays where the picture is in the application again, where the picture to keep has no file, and where the file was changed after the verdict; each is named. Files in sources of the service go with `sosia review judge keep --files`.',
    ],
  }).action((folder: string, options: ApplyOptions) => apply(folder, options));
}

async function apply(folder: string, { trash, undo, json, ...connection }: ApplyOptions): Promise<void> {
  if (undo) {
    const back = await moveAll(folder, trashedIn(folder), 'restore');
    return logLine(`${counted(back, 'file')} moved back to ${visible(folder)}`);
  }
  const files = await removedFiles(connect(connection), folder);
  if (!trash) {
    for (const file of files)
      if (json) print(file);
      else printLine(visible(file.path));
    return logLine(`${counted(files.length, 'file')}; nothing was moved`);
  }
  mkdirSync(join(folder, TRASH), { recursive: true }); // so that an undo finds it though nothing is moved
  const moved = await moveAll(
    folder,
    files.map(({ id }) => id),
    'trash',
  );
  if (json) print({ moved });
  logLine(`${counted(moved, 'file')} moved to ${visible(join(folder, TRASH))}; --undo moves them back`);
}

/** Never overwrites a file; names those that stay. @returns the number of the others */
async function moveAll(folder: string, keys: readonly string[], how: 'trash' | 'restore'): Promise<number> {
  let moved = 0;
  for (const key of keys) {
    try {
      await moveItem(realpathSync(folder), { key }, how);
      moved++;
    } catch (cause) {
      logLine(visible(`${key} stays: ${(cause as Error).message}`));
    }
  }
  return moved;
}

function trashedIn(folder: string): string[] {
  const trash = join(folder, TRASH);
  if (!existsSync(trash)) throw new Error(`there is no trash folder in ${folder}`);
  const inside = readdirSync(trash, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return inside.map(({ parentPath, name }) => relative(trash, join(parentPath, name)));
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
