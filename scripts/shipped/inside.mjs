// What packages hold inside without an entry of its own in package-lock.json: libraries in binaries, and what our own build takes in.

const LGPL = 'LGPL-3.0-or-later';

/** From README.md and versions.json of @img/sharp-libvips-linux-x64, which a test compares where it is installed. */
const libvips = {
  packages: /^@img\/sharp-(libvips-|win32-|wasm32$)/,
  /** Of the package @img/sharp-libvips-linux-x64. With another version this table has to be made again. */
  of: ['@img/sharp-libvips-linux-x64', '1.3.4'],
  parts: [
    ['aom', '3.15.1', 'BSD-2-Clause'],
    ['cairo', '1.18.6', 'MPL-1.1'],
    ['cgif', '0.5.4', 'MIT'],
    ['expat', '2.8.5', 'MIT'],
    ['fontconfig', '2.18.3', 'fontconfig License'],
    ['freetype', '2.14.3', 'FTL'],
    ['fribidi', '1.0.17', LGPL],
    ['glib', '2.90.0', LGPL],
    ['harfbuzz', '14.5.0', 'MIT'],
    ['highway', '1.4.0', 'BSD-3-Clause'],
    ['lcms', '2.19.1', 'MIT'],
    ['libarchive', '3.8.9', 'BSD-2-Clause'],
    ['libexif', '0.6.26', LGPL],
    ['libffi', '3.8.0', 'MIT'],
    ['libheif', '1.23.5', LGPL],
    ['libimagequant', '2.4.1', 'BSD-2-Clause'],
    ['libnsgif', null, 'MIT'],
    ['libpng', '1.6.58', 'libpng-2.0'],
    ['librsvg', '2.63.2', LGPL],
    ['libtiff', '4.7.2', 'libtiff'],
    ['libultrahdr', '2.0.2', 'MIT'],
    ['libvips', '8.18.7', LGPL],
    ['libwebp', '1.6.0', 'BSD-3-Clause'],
    ['libxml2', '2.15.4', 'MIT'],
    ['mozjpeg', '0826579', 'Zlib AND IJG AND BSD-3-Clause'],
    ['pango', '1.58.2', LGPL],
    ['pixman', '0.46.4', 'MIT'],
    ['proxy-libintl', '0.5', LGPL],
    ['zlib-ng', '2.3.3', 'Zlib'],
  ],
};

const libheif = {
  packages: /^libheif-js$/,
  of: ['libheif-js', '1.23.2'],
  parts: [
    ['libheif', '1.23.2', LGPL],
    ['libde265', null, LGPL],
  ],
};

const libsql = {
  packages: /^@libsql\//,
  of: ['libsql', '0.5.29'],
  parts: [
    ['libSQL', null, 'MIT'],
    ['SQLite', '3.45.1', 'blessing'],
  ],
};

/** In engine/dist: the kernels are compiled with AssemblyScript, whose library becomes part of them. */
const assemblyscript = {
  packages: /^@sosia\/engine$/,
  parts: [['AssemblyScript standard library', null, 'Apache-2.0']],
};

const all = [libvips, libheif, libsql, assemblyscript];

/** The parts inside a package: name, version (null where it is not stated) and licence. */
export function partsInside(name) {
  const parts = all.find(({ packages }) => packages.test(name))?.parts ?? [];
  return parts.map(([name, version, licence]) => ({ name, version, licence }));
}

/** @throws where the packages have versions that this file was not written for */
export function requireSameVersions(packages) {
  for (const { of } of all) {
    if (!of) continue;
    const [name, expected] = of;
    const found = packages.find((each) => each.name === name)?.entry.version;
    if (found !== expected) {
      throw new Error(`scripts/shipped/inside.mjs lists the content of ${name} ${expected}, but ${found} is shipped`);
    }
  }
}
