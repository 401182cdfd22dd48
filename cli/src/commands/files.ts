import type { FileChanges, RemoveOptions } from '@sosia/client';
import { Option } from 'commander';
import { counted, logLine, visible } from '../terminal/output.ts';

export type FileChoice = NonNullable<RemoveOptions['files']>;

/** What becomes of the files of removed pictures. */
export function filesOption(): Option {
  const about = 'What becomes of their files in writable sources: see docs/sources.md.';
  return new Option('--files <WHAT>', about)
    .choices(['keep', 'trash', 'delete'] satisfies FileChoice[])
    .default('keep');
}

/** Names the files that stay. Fails where there are some. */
export function report(choice: FileChoice, { changed, kept }: FileChanges = { changed: 0, kept: [] }): void {
  if (choice !== 'keep') logLine(`${counted(changed, 'file')} ${choice === 'trash' ? 'moved to .trash' : 'deleted'}`);
  for (const { image_id, message } of kept) logLine(visible(`the file of ${image_id} stays: ${message}`));
  if (kept.length > 0) throw new Error(`${counted(kept.length, 'file')} could not be moved or deleted`);
}
