import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pythonWith } from './foreign-packages.ts';

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));

test('Kubernetes takes the manifests by its schemas', (context) => {
  const programs = pythonWith('kubernetes-validate==1.37.0');
  if (!programs) return context.skip('no Python with packages of PyPI here');
  const files = ['kubernetes.yaml', 'cluster/kubernetes.yaml'].map((name) => join(deploy, name));
  execFileSync(join(programs, 'kubernetes-validate'), ['--strict', ...files]);
});
