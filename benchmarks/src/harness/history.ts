import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Figures older than this many commits of what they measure are marked. */
export const OLD_COMMITS = 50;

export type Age = 'recent' | 'old' | 'unknown';

/** @param paths  what was measured */
export function ageOf(commit: string, paths: readonly string[], clone = root): Age {
  const count = commitsSince(commit, paths, clone);
  if (count === null) return 'unknown';
  return count > OLD_COMMITS ? 'old' : 'recent';
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
