import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingNames, variableOf } from '@sosia/server/config';
import { pythonWith } from './foreign-packages.ts';

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const files = ['kubernetes.yaml', 'cluster/kubernetes.yaml'].map((name) => join(deploy, name));

test('Kubernetes takes the manifests by its schemas', (context) => {
  const programs = pythonWith('kubernetes-validate==1.37.0');
  if (!programs) return context.skip('no Python with packages of PyPI here');
  execFileSync(join(programs, 'kubernetes-validate'), ['--strict', ...files]);
});

test('no variable that Kubernetes makes of the name of a service is a setting', () => {
  const variables = new Set(settingNames.map(variableOf));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const names = [...text.matchAll(/^kind: Service\nmetadata:\n {2}name: (\S+)$/gm)].map(([, name]) => name!);
    assert.ok(names.length > 0, file);
    const made = names.map((name) => `${name.toUpperCase().replaceAll('-', '_')}_PORT`);
    if (/^ {6}enableServiceLinks: false\b/m.test(text)) continue;
    assert.deepEqual(
      made.filter((name) => variables.has(name)),
      [],
      file,
    );
  }
});
