// What the manifests of published packages have in common, and what may lie in a package.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './code.mjs';

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

const { version, license, engines, homepage, repository } = readManifest('');

/** The root's package.json is the one place for the version, the licence and the lowest Node. */
export const common = {
  version,
  license,
  type: 'module',
  engines,
  ...(homepage && { homepage }),
  ...(repository && { repository }),
};

/** The ranges of some dependencies of workspaces. */
export function rangesOf(names, workspaces) {
  const all = Object.assign({}, ...workspaces.map((folder) => readManifest(folder).dependencies));
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** All files below a folder, by their paths in it. */
export function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
