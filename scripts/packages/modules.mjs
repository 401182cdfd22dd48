// Compiled modules and declarations of a package that has no dependencies, with all that they import.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root, write } from './code.mjs';

const imported = /(\bfrom |\bimport\()(['"])([^'"\n]+)\2/g;

/**
 * Copies modules (`.js`) and declarations (`.d.ts`), with paths in place of names of workspaces.
 * @param entries  paths in the repository
 * @param placeOf  the path in the package of a path in the repository; throws for what the package may not have
 */
export function copyModules(entries, folder, placeOf) {
  const found = new Set(entries);
  for (const path of found) {
    const text = readFileSync(join(root, path), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    const changed = text.replace(imported, (whole, before, quote, name) => {
      const module = moduleOf(name, path);
      const target = path.endsWith('.d.ts') ? module.replace(/\.js$/, '.d.ts') : module;
      found.add(target);
      const between = relative(dirname(placeOf(path)), placeOf(target))
        .split(sep)
        .join('/');
      return `${before}${quote}${between.startsWith('.') ? '' : './'}${between.replace(/\.d\.ts$/, '.js')}${quote}`;
    });
    write(join(folder, placeOf(path)), changed);
  }
}

function moduleOf(name, from) {
  if (name.startsWith('.')) return join(dirname(from), name).replace(/\.ts$/, '.js');
  if (!name.startsWith('@sosia/')) throw new Error(`the package has no dependencies, but ${from} imports ${name}`);
  return relative(root, fileURLToPath(import.meta.resolve(name, pathToFileURL(join(root, from)))));
}
