// The compiled code that a package needs: everything its entry points reach, with paths in place of names of packages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The names in `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const imported = /(\bfrom |\bimport |\bimport\()'([^'\n]+)'/g;
/** Scripts of threads and child processes. */
const started = /\bnew URL\('([^'\n]+\.js)', import\.meta\.url\)/g;
const isRelative = (name) => name.startsWith('./') || name.startsWith('../');

/**
 * Copies compiled files, minified but with the names of functions, to the same places below another folder.
 * @param entries  paths in the repository
 * @param installed  packages that stay names, since they are installed beside the package
 * @param bundled  gives the file, below the folder, that holds another package
 */
export function copyCode(entries, folder, { installed, bundled }) {
  const found = new Set(entries);
  for (const path of found) {
    const text = readFileSync(join(root, path), 'utf8');
    const reach = (target) => {
      if (!existsSync(join(root, target))) throw new Error(`${path} names ${target}, which does not exist`);
      found.add(target);
    };
    for (const [, name] of text.matchAll(started)) reach(join(dirname(path), name));
    const changed = text
      .replace(imported, (whole, before, name) => {
        if (name.startsWith('node:') || installed.includes(packageOf(name))) return whole;
        if (isRelative(name)) {
          reach(join(dirname(path), name));
          return whole;
        }
        const target = name.startsWith('@sosia/') ? pathOf(name, path) : bundled(name.replace(/^#/, ''));
        if (name.startsWith('@sosia/')) reach(target);
        return `${before}'${pathBetween(path, target)}'`;
      })
      .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    write(
      join(folder, path),
      transformSync(changed, { format: 'esm', target: 'node20', legalComments: 'none', minify: true, keepNames: true })
        .code,
    );
  }
  return [...found];
}

export function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** `@a/b/c` is of the package `@a/b`. */
export function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The path, in the repository, of what a name means in a file of a workspace. */
function pathOf(name, from) {
  return relative(root, fileURLToPath(import.meta.resolve(name, pathToFileURL(join(root, from)))));
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to).split(sep).join('/');
  return isRelative(path) ? path : `./${path}`;
}
