import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '@sosia/contract';
import type { Awaitable } from './store.ts';
import { auditFiles, makePrivate, refusedFiles, syncFolder } from './folder.ts';

/** Bytes of a file after which the next one is begun. */
const MAX_FILE_BYTES = 8 * 2 ** 20;

/** The changes of a service: who changed what, and when. */
export interface AuditLog {
  /** Resolves once the entries would survive the end of the process, and with `durably` a power cut. */
  append(entries: readonly AuditEntry[], durably: boolean): Promise<void>;
  /**
   * The latest first.
   * @param number  of an application; all entries if missing
   */
  read(page: { readonly start: number; readonly count: number }, number?: number): Awaitable<AuditEntry[]>;
}

/** The audit log of a data folder: lines of JSON in a few files of bounded size, the oldest of which is replaced. */
export class AuditFiles implements AuditLog {
  readonly #folder: string;
  readonly #largest: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, largest = MAX_FILE_BYTES) {
    this.#folder = folder;
    this.#largest = largest;
  }

  append(entries: readonly AuditEntry[], durably: boolean): Promise<void> {
    const changes = entries.filter(({ code }) => code === 0);
    const refused = entries.filter(({ code }) => code !== 0);
    const written = this.#writing.then(async () => {
      if (refused.length > 0) await this.#append(refusedFiles, linesOf(refused), false);
      if (changes.length > 0) await this.#append(auditFiles, linesOf(changes), durably);
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  read({ start, count }: { start: number; count: number }, number?: number): AuditEntry[] {
    const [changes, refused] = [auditFiles, refusedFiles].map((files) => this.#latest(files, start + count, number));
    return latestFirst([...refused!, ...changes!]).slice(start, start + count);
  }

  #latest(files: readonly string[], count: number, number?: number): AuditEntry[] {
    const found: AuditEntry[] = [];
    for (const name of files) {
      const path = join(this.#folder, name);
      if (!existsSync(path)) break;
      for (const line of readFileSync(path, 'utf8').split('\n').reverse()) {
        const entry = entryIn(line);
        if (!entry || (number !== undefined && entry.number !== number)) continue;
        found.push(entry);
        if (found.length === count) return found;
      }
    }
    return found;
  }

  async #append(files: readonly string[], lines: string, durably: boolean): Promise<void> {
    await appendFile(readyFile(this.#folder, files, this.#largest), lines, { flush: durably });
  }
}

/** Entries of the same time stay in their order. */
export function latestFirst(entries: AuditEntry[]): AuditEntry[] {
  return entries.sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
}

/** Appends an entry durably, for a process beside the server. */
export function appendAudit(folder: string, entry: AuditEntry): void {
  appendFileSync(readyFile(folder, auditFiles, MAX_FILE_BYTES), linesOf([entry]), { flush: true });
}

/** The file for the next lines, made if it is missing. */
function readyFile(folder: string, files: readonly string[], largest: number): string {
  const path = join(folder, files[0]!);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size < largest) return path;
  if (size !== undefined) rotate(folder, files);
  makePrivate(path);
  syncFolder(folder);
  return path;
}

function rotate(folder: string, files: readonly string[]): void {
  const paths = files.map((name) => join(folder, name));
  rmSync(paths.at(-1)!, { force: true });
  for (let i = paths.length - 1; i > 0; i--) {
    if (existsSync(paths[i - 1]!)) renameSync(paths[i - 1]!, paths[i]!);
  }
}

/** Each line begins anew, since a power cut may have left half a line. */
function linesOf(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `\n${JSON.stringify(entry)}`).join('');
}

/** Undefined for an empty or a torn line. */
function entryIn(line: string): AuditEntry | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as AuditEntry;
  } catch {
    return undefined;
  }
}
