import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Figures older than this many commits of what they measure are marked, always. */
export const OLD_COMMITS = 50;
/** Where a page is written, they are marked from this many on, so that the page stays right while further commits come. */
export const MARKED_COMMITS = 30;

export type Age = 'recent' | 'old' | 'unknown';

/** @param paths  what was measured */
export function ageOf(commit: string, paths: readonly string[], clone = root, limit = MARKED_COMMITS): Age {
  const count = commitsSince(commit, paths, clone);
  if (count === null) return 'unknown';
  return count > limit ? 'old' : 'recent';
}

const MARK = ', **old**';

/**
 * Whether a page has the figures that it is made of, and a mark at least at each figure that must have one.
 * @param make  the page, with the ages that it is given
 */
export function isCurrent(page: string, make: (age: typeof ageOf) => string): boolean {
  const made = make((commit, paths, clone) => ageOf(commit, paths, clone, OLD_COMMITS)).split('\n');
  const lines = page.split('\n');
  const plain = (line: string): string => line.replace(MARK, '');
  const agrees = (line: string, i: number): boolean =>
    plain(lines[i]!) === plain(line) && (!line.includes(MARK) || lines[i]!.includes(MARK));
  return made.length === lines.length && made.every(agrees);
}

/** Commits that changed these paths; tests do not count. null where this clone has not the commit or not all commits since. */
export function commitsSince(commit: string, paths: readonly string[], clone = root): number | null {
  if (!isWhole(clone) || git(clone, 'merge-base', '--is-ancestor', commit, 'HEAD') === null) return null;
  return Number(git(clone, 'rev-list', '--count', `${commit}..HEAD`, '--', ...paths, ...tests));
}

const tests = [':(exclude)*.test.ts', ':(exclude)*.test.*.ts'];

/** Whether this clone has all commits: a shallow one and a folder without git have not. */
export function isWhole(clone = root): boolean {
  return git(clone, 'rev-parse', '--is-shallow-repository') === 'false';
}

/** The commit of this clone, marked where other sources were measured than those of the commit. */
export function commitHere(): string {
  const commit = git(root, 'rev-parse', '--short=7', 'HEAD');
  if (commit === null) return 'unknown';
  return (
    commit + (git(root, 'status', '--porcelain', '--untracked-files=no', '--', ':(top)*.ts') ? ' and changes' : '')
  );
}

/** null where git fails. */
function git(cwd: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
