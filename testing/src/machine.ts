import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** What stands above every table: figures mean nothing without where and when they were taken. */
export function machine(): string {
  const models = [...new Set(cpus().map(({ model }) => model.trim()))].join(', ');
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${models}, ${cpus().length} cores, ${memory} GB · Node ${process.version} · ${date} · commit ${commit()}`;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '-uno') ? ' and changes' : '');
  } catch {
    return 'unknown';
  }
}
