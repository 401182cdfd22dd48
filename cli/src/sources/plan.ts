import { statSync } from 'node:fs';
import { extname } from 'node:path';
import type { Metadata } from '@sosia/client';
import { picturesIn } from './folder.ts';
import { csvLines, entriesIn, jsonLines } from './list.ts';

/** A picture to add. */
export interface Entry {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly metadata?: Metadata | undefined;
  /** Of its file; null for an entry with its DNA. */
  readonly path: string | null;
  /** Reads its DNA from the list, which need not fit into memory. */
  readonly dna: (() => Promise<Uint8Array>) | null;
}

/** A line of the report: a picture that is not added, or has a low grade, with the reason. */
export interface Passed {
  readonly path: string;
  readonly image_id?: string;
  /** Of docs/errors.md, for a refusal of the service. */
  readonly code?: number;
  readonly grade?: number | null;
  readonly why: string;
  /** Whether it was meant to be added: an invalid line of a list, not a text file in a folder. */
  readonly fault: boolean;
}

export interface Plan {
  readonly entries: readonly Entry[];
  readonly passed: readonly Passed[];
}

/**
 * Lists the pictures to add.
 * @param source  a folder, or a list that ends in `.csv` or `.jsonl`
 * @param fromFolders  whether the names of folders become keywords
 * @throws Error for a source that does not exist or is none of these
 */
export async function planOf(source: string, fromFolders: boolean): Promise<Plan> {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new Error(`there is no file or folder ${source}`);
  if (found.isDirectory()) return distinct(picturesIn(source, fromFolders));
  const kind = extname(source).toLowerCase();
  if (kind !== '.csv' && kind !== '.jsonl')
    throw new Error(`expected a folder, a .csv or a .jsonl file, got ${source}`);
  try {
    const lines = kind === '.csv' ? csvLines(source) : jsonLines(source);
    return distinct(await entriesIn(lines, source, fromFolders));
  } catch (cause) {
    throw new Error(`${source}: ${(cause as Error).message}`, { cause });
  }
}

/** Of two entries with one id, the second would count as an existing picture. */
function distinct({ entries, passed }: Plan): Plan {
  const first = new Map<string, Entry>();
  const again: Passed[] = [];
  for (const entry of entries) {
    const other = first.get(entry.id);
    if (!other) first.set(entry.id, entry);
    else
      again.push({
        path: entry.path ?? entry.id,
        why: `the id ${entry.id} is that of ${other.path ?? 'another line'}`,
        fault: true,
      });
  }
  return { entries: [...first.values()], passed: [...passed, ...again] };
}
