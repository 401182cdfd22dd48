// Makes NOTICE from package-lock.json and scripts/shipped/inside.mjs: `npm run notice`. `--check` fails where it would differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { partsInside, requireSameVersions } from './shipped/inside.mjs';
import { shippedPackages } from './shipped/packages.mjs';

const file = new URL('../NOTICE', import.meta.url);
const packages = shippedPackages();
requireSameVersions(packages);
const foreign = packages.filter(({ own }) => !own);

const text = `Sosia
Licensed under the Apache License 2.0, see LICENSE.

This file lists what comes with Sosia and is not its own, with the licence of each. It is made by scripts/notice.mjs from
package-lock.json. In a clone each package holds the text of its licence in its own folder, node_modules/NAME.

The npm package sosia-server contains the JavaScript of these packages in lib/cli/dist/bundle, with the texts of their licences in
LICENSES.txt. Packages with native code (sharp, libsql, the native part of koffi) are installed from npm beside it, unchanged.


1. PACKAGES

Those marked * are for one system or processor each; an installation has the few that fit.

${byLicence().join('\n\n')}


2. LIBRARIES INSIDE PACKAGES

${inside().join('\n\n')}

Those under the GNU Lesser General Public License (LGPL) are shared libraries or WebAssembly modules in packages of their own. Sosia
calls them and contains nothing of them; anyone may put another version of such a package in its place. In the npm package
sosia-server, libheif-js is the file lib/cli/dist/bundle/libheif-bundle.cjs, unchanged, which another version may replace. Their sources are at
https://github.com/lovell/sharp-libvips, https://github.com/catdad-experiments/libheif-js, https://github.com/strukturag/libheif
and https://github.com/strukturag/libde265; the texts of the licences at https://www.gnu.org/licenses/.


3. CONTAINED IN FILES OF SOSIA

The page of the console (console/dist/site) contains Preact:

${indented(licenceOf('preact'))}

The kernels (engine/dist) contain parts of the standard library of AssemblyScript, Copyright 2020 Daniel Wirtz / The AssemblyScript
Authors, licensed under the Apache License 2.0.

The sample photographs (fixtures) are of the Kodak Lossless True Color Image Suite, released by the Eastman Kodak Company for
unrestricted use; see fixtures/samples/SOURCES.md.


4. NOT INSTALLED WITH SOSIA

onnxruntime-web (MIT) runs networks as profiles where somebody installs it beside Sosia.
`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('NOTICE differs from what package-lock.json says: npm run notice');
    process.exitCode = 1;
  }
} else writeFileSync(file, text);

/** A paragraph a licence, the licence of most packages first. */
function byLicence() {
  const licences = [...new Set(foreign.map(({ entry }) => entry.license))];
  const all = licences.map((licence) => ({ licence, list: foreign.filter(({ entry }) => entry.license === licence) }));
  return all
    .sort((a, b) => b.list.length - a.list.length || (a.licence < b.licence ? -1 : 1))
    .map(({ licence, list }) => `${licence}\n${lines(list.map(shown))}`);
}

function inside() {
  const groups = new Map();
  for (const { name } of foreign) {
    const parts = partsInside(name);
    if (parts.length === 0) continue;
    const list = parts
      .map((part) => `${part.name}${part.version ? ` ${part.version}` : ''} (${part.licence})`)
      .join(', ');
    groups.set(list, [...(groups.get(list) ?? []), name]);
  }
  return Array.from(groups, ([list, names]) => `In ${names.sort().join(', ')}:\n${lines(list.split(', '))}`);
}

function shown({ name, entry }) {
  return `${name} ${entry.version}${entry.os || entry.cpu ? ' *' : ''}`;
}

/** Items beside each other, in lines of at most 120 characters. */
function lines(items) {
  const rows = [''];
  for (const item of [...new Set(items)].sort()) {
    if (`${rows.at(-1)}${item}, `.length > 118) rows.push('');
    rows[rows.length - 1] += `${item}, `;
  }
  return rows
    .map((row) => `  ${row.trimEnd()}`)
    .join('\n')
    .replace(/,$/, '');
}

function licenceOf(name) {
  return readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
}

function indented(text) {
  return text.trim().replace(/^(?=.)/gm, '  ');
}
