// Prints the bill of materials (CycloneDX 1.6, JSON) of what is shipped, made from package-lock.json alone: `npm run --silent sbom > sosia.cdx.json`.
// It is not committed: it says nothing that the lock file does not, the same commit gives the same bytes, and a copy would be out of date
// with the next package. There is no time and no chance in it.
import { partsInside, requireSameVersions } from './shipped/inside.mjs';
import { shippedPackages } from './shipped/packages.mjs';

const packages = shippedPackages();
requireSameVersions(packages);

const [program, ...others] = packages.map(component);
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { lifecycles: [{ phase: 'build' }], component: { ...program, type: 'application' } },
  components: others,
  dependencies: packages.map(({ path, dependsOn }) => ({
    ref: refOf(path),
    dependsOn: [...new Set(dependsOn.map(refOf))].sort(),
  })),
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);

function component({ path, name, entry }) {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const parts = partsInside(name);
  return {
    type: 'library',
    'bom-ref': refOf(path),
    ...(group && { group }),
    name: plain,
    version: entry.version,
    ...(entry.optional && { scope: 'optional' }),
    ...(entry.integrity && { hashes: entry.integrity.split(/\s+/).map(hash) }),
    licenses: licences(entry.license),
    purl: purlOf(name, entry.version),
    ...(parts.length > 0 && { components: parts.map((part) => inner(part, path)) }),
  };
}

/** A library inside a package; nothing is known of it but its name, version and licence. */
function inner({ name, version, licence }, path) {
  return {
    type: 'library',
    'bom-ref': `${refOf(path)}#${encodeURIComponent(name)}`,
    name,
    ...(version && { version }),
    licenses: licences(licence),
  };
}

function refOf(path) {
  const { name, entry } = packages.find((each) => each.path === path);
  const twice = packages.filter((each) => each.name === name && each.entry.version === entry.version).length > 1;
  return twice ? `${purlOf(name, entry.version)}#${path}` : purlOf(name, entry.version);
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** An integrity of npm is base64, a hash of CycloneDX hexadecimal. */
function hash(integrity) {
  const [, bits, content] = /^sha(\d+)-(.+)$/.exec(integrity);
  return { alg: bits === '1' ? 'SHA-1' : `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') };
}

/** An identifier of SPDX has no space in it; a name that is none of them does not fit the schema. */
function licences(text) {
  if (/ (AND|OR|WITH) /.test(text)) return [{ expression: text }];
  return [{ license: text.includes(' ') ? { name: text } : { id: text } }];
}
