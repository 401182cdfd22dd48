// What an installation of the `sosia` package brings along, read from package-lock.json: the same on every platform.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
/** The workspace that is the program; what it does not depend on is not shipped. */
const PROGRAM = 'cli';

/**
 * All packages that are shipped, by their path in the lock file, the program first, each with the paths of those it
 * depends on. Packages for other processors and systems are among them. Peers that are optional are not.
 */
export function shippedPackages() {
  const found = new Map();
  const visit = (path) => {
    if (found.has(path)) return;
    const entry = packages[path];
    const package_ = { path, own: !path.includes('node_modules/'), entry, name: nameOf(path), dependsOn: [] };
    found.set(path, package_);
    const wanted = { ...entry.dependencies, ...entry.optionalDependencies, ...requiredPeers(entry) };
    package_.dependsOn = Object.keys(wanted)
      .map((name) => pathOf(name, path))
      .sort();
    package_.dependsOn.forEach(visit);
  };
  visit(PROGRAM);
  return [...found.values()];
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional));
}

/** Where Node finds a package from another one: the nearest folder upwards. */
function pathOf(name, from) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)(node_modules\/)?(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved : path;
    if (folder === '') throw new Error(`${from} needs ${name}, which is not in package-lock.json`);
  }
}

function nameOf(path) {
  return packages[path].name ?? path.split('node_modules/').at(-1);
}
