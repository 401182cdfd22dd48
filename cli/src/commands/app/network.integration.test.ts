import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onnxFile } from '@sosia/engine/classify/onnx-file.test.kit';
import { meanColor, redOrBlue } from '@sosia/fixtures';

const bin = fileURLToPath(new URL('../../../bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-app-network-'));
after(() => rmSync(home, { recursive: true }));

function sosia(...words: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { encoding: 'utf8', cwd: home, env });
  return { code: status, out: stdout, err: stderr };
}

function create(name: string, file: string, type = 'image-similarity') {
  return sosia('app', 'create', '--type', type, '--name', name, '--network', file);
}

test('an application with a network shows it, shares it and takes it along', () => {
  writeFileSync(join(home, 'mean.onnx'), onnxFile(meanColor()));
  writeFileSync(join(home, 'mean.json'), JSON.stringify({ std: [1, 1, 1] }));
  assert.equal(create('shirts', 'mean.onnx').code, 0);
  const { network } = JSON.parse(sosia('app', 'show', 'shirts', '--json').out);
  assert.match(network, /^[0-9a-f]{16}$/);
  const name = `embedding-${network}`;
  assert.match(sosia('profile', 'list').out, new RegExp(`^${name} +embedding`, 'm'));
  assert.match(sosia('profile', 'show', name).out, /a network for Image Similarity, 0\.0 MB, 32 x 32 pixels\n/);
  sosia('profile', 'export', name, 'mean.network');
  assert.equal(create('trousers', 'mean.network').code, 0);
  assert.equal(JSON.parse(sosia('app', 'show', 'trousers', '--json').out).network, network);

  assert.match(sosia('profile', 'delete', name).err, /is deleted with the last application that has it/);
  sosia('app', 'create', '--type', 'filter', '--name', 'kinds');
  assert.match(sosia('profile', 'use', 'kinds', name).err, /no profile is called/);
  assert.match(sosia('profile', `import`, 'mean.network', '--name', 'x').err, /--name and --description are for/);
  sosia('app', 'delete', 'shirts', '--yes');
  assert.match(sosia('profile', 'list').out, /embedding/);
  sosia('app', 'delete', 'trousers', '--yes');
  assert.doesNotMatch(sosia('profile', 'list').out, /embedding/);
  assert.match(sosia('profile', `import`, 'mean.network').err, /an embedding is no profile/);
});

test('a file that is no embedding is refused, and nothing is created', () => {
  writeFileSync(join(home, 'red.onnx'), onnxFile(redOrBlue()));
  writeFileSync(
    join(home, 'red.json'),
    JSON.stringify({ labels: ['red', 'blue'], positive: ['red'], output: 'logits' }),
  );
  assert.match(create('x', 'red.onnx').err, /expected a network whose output is an embedding, got logits/);
  writeFileSync(join(home, 'long.onnx'), onnxFile(meanColor({ length: 5000 })));
  writeFileSync(join(home, 'long.json'), '{}');
  assert.match(create('x', 'long.onnx').err, /expected a vector of 2 to 4096 numbers, got an output of \[1, 5000\]/);
  writeFileSync(join(home, 'long.json'), '{"labels": ["a"]}');
  assert.match(create('x', 'long.onnx').err, /long\.json: labels: an embedding has none/);
  assert.match(create('x', 'missing.onnx').err, /missing\.json: ENOENT/);
  assert.match(create('x', 'mean.onnx', 'color-similarity').err, /--network is not for color-similarity/);
  assert.deepEqual(JSON.parse(sosia('app', 'list', '--json').out).map(({ name }: { name: string }) => name), ['kinds']); // prettier-ignore
});
