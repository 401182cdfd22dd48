import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A Node to run programs with. */
export interface NodeVersion {
  /** Such as `22`. */
  readonly name: string;
  /** The folder of the program `node`. */
  readonly folder: string;
}

/**
 * Another version of Node, from the package of it that npm has for Linux. Kept in ~/.cache/sosia.
 * @param tag  `22`, or `latest`
 * @returns undefined where npm or the package is out of reach
 */
export function nodeVersion(tag: string): NodeVersion | undefined {
  const { platform, arch } = process;
  const home = join(homedir(), '.cache/sosia', `node-${tag}`);
  const folder = join(home, `node_modules/node-${platform}-${arch}/bin`);
  if (!existsSync(join(folder, 'node'))) {
    mkdirSync(home, { recursive: true });
    const words = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', home];
    spawnSync('npm', [...words, `node-${platform}-${arch}@${tag}`], { cwd: home });
  }
  return existsSync(join(folder, 'node')) ? { name: tag, folder } : undefined;
}
