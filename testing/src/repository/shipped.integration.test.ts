import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchema } from 'ajv';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = (name: string): string => join(root, 'scripts', name);
const json = (path: string): any => JSON.parse(readFileSync(path, 'utf8'));
const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json');
const schemas = join(dirname(library), 'res/schema');

const printed = execFileSync(process.execPath, [script('sbom.mjs')], { encoding: 'utf8', maxBuffer: 2 ** 24 });
const bom = JSON.parse(printed);
const refs = [bom.metadata.component, ...bom.components].map((each: { 'bom-ref': string }) => each['bom-ref']);

test('the bill of materials fits the schema of CycloneDX 1.6', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(json(join(schemas, name)) as AnySchema, `http://cyclonedx.org/schema/${name}`);
  }
  const validate = ajv.compile(json(join(schemas, 'bom-1.6.SNAPSHOT.schema.json')) as AnySchema);
  assert.ok(validate(bom), JSON.stringify(validate.errors?.slice(0, 3)));
  assert.ok(!validate({ ...bom, components: [{ type: 'library' }] }), 'a component without a name fits as well');
});

test('the bill of materials lists every package that is not for development alone, with purl, hash and licence', () => {
  const { packages } = json(join(root, 'package-lock.json')) as { packages: Record<string, any> };
  const expected = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version }]) => `pkg:npm/${path.split('node_modules/').at(-1)!.replace('@', '%40')}@${version}`);
  const foreign = bom.components.filter(({ group }: { group?: string }) => group !== '@sosia');
  assert.deepEqual(foreign.map(({ purl }: { purl: string }) => purl).sort(), [...new Set(expected)].sort());
  assert.ok(foreign.length > 80, `${foreign.length} components`);
  for (const { name, hashes, licenses, version } of foreign) {
    assert.match(hashes?.[0]?.content ?? '', /^[\da-f]{128}$/, name);
    assert.ok(licenses.length === 1 && version, name);
  }
});

test('every dependency of the bill of materials is a component of it, and every component is shipped', () => {
  assert.equal(new Set(refs).size, refs.length);
  const shipped = new Set([refs[0]!]);
  const edges = new Map(bom.dependencies.map(({ ref, dependsOn }: any) => [ref, dependsOn]));
  for (const ref of shipped) {
    assert.ok(refs.includes(ref), ref);
    for (const next of edges.get(ref) as string[]) shipped.add(next);
  }
  assert.equal(shipped.size, refs.length);
});

test('the bill of materials names no registry and no folder of this machine, and is the same each time', () => {
  const addresses = [...printed.matchAll(/https?:\/\/[^"]*/g)].map(([address]) => address);
  assert.deepEqual(addresses, ['http://cyclonedx.org/schema/bom-1.6.schema.json']);
  assert.ok(!printed.includes(root) && !/"\//.test(printed));
  assert.equal(execFileSync(process.execPath, [script('sbom.mjs')], { encoding: 'utf8', maxBuffer: 2 ** 24 }), printed);
});

test('NOTICE is what the scripts make of the lock file', () => {
  const { status, stderr } = spawnSync(process.execPath, [script('notice.mjs'), '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
  for (const { purl, version } of bom.components) {
    const name = decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)![1]!);
    if (!name.startsWith('@sosia/')) assert.ok(notice.includes(`${name} ${version}`), purl);
  }
});

const libvips = join(root, 'node_modules/@img/sharp-libvips-linux-x64');
test('the libraries listed inside libvips are those its package states', { skip: !existsSync(libvips) }, () => {
  const versions = new Set<string>(Object.values(json(join(libvips, 'versions.json'))));
  const rows = [...readFileSync(join(libvips, 'README.md'), 'utf8').matchAll(/^\| ([\w-]+) +\| (.+?) +\|$/gm)];
  const stated = rows.map(([, name]) => name!).filter((name) => name !== 'Library');
  const { components } = bom.components.find((each: { name: string }) => each.name === 'sharp-libvips-linux-x64');
  assert.deepEqual(
    components.map(({ name }: { name: string }) => name),
    stated,
  );
  assert.ok(stated.length > 20);
  for (const { name, version } of components) assert.ok(!version || versions.has(version), `${name} ${version}`);
  const weak = rows.filter(([, , terms]) => terms!.startsWith('LGPL')).map(([, name]) => name);
  const listed = components.filter(({ licenses }: any) => licenses[0].license?.id === 'LGPL-3.0-or-later');
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    weak,
  );
});
