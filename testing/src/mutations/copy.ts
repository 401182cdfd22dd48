import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';

const LEFT_OUT = new Set(['node_modules', `lint${sep}node_modules`, '.git', 'data', 'out', `benchmarks${sep}out`]);

/**
 * Copies a built tree, dist folders included, to where it can be changed. Packages are linked, workspaces link into the copy.
 * @returns the folder that holds the copy, to be removed afterwards, and the copy's root
 */
export function copyTree(root: string): { folder: string; tree: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sosia-mutations-')));
  chmodSync(folder, 0o755); // tests that run as another user read the copy
  const tree = join(folder, 'tree');
  cpSync(root, tree, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(relative(root, path)),
    preserveTimestamps: true,
  });
  linkPackages(join(root, 'node_modules'), join(tree, 'node_modules'));
  const shared = join(root, '..', 'shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'));
  allowUnusedNames(join(tree, 'tsconfig.base.json'));
  unbundle(join(tree, 'cli/bin/sosia.js'));
  return { folder, tree };
}

/** Links of workspaces are relative, so the same link leads into the copy. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name.startsWith('@') || entry.name === '.bin') linkPackages(source, target);
    else symlinkSync(source, target);
  }
}

/** A guard that is taken out often leaves a name without use, which is no reason not to compile. */
function allowUnusedNames(config: string): void {
  if (!existsSync(config)) return;
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace(/("noUnused\w+": )true/g, '$1false'));
}

/** The command runs the compiled modules, which a mutation changes and whose lines are recorded. */
function unbundle(command: string): void {
  if (!existsSync(command)) return;
  const text = readFileSync(command, 'utf8');
  writeFileSync(command, text.replace('dist/bundle/index.js', 'dist/index.js'));
}
