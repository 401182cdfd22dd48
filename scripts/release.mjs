// Makes a release.
//   npm run release -- prepare VERSION   writes the version and the day into manifests and CHANGELOG.md; review and commit this
//   npm run release                      from a clean tree: packages, bill of materials and checksums in out/release
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './packages/code.mjs';
import { readManifest } from './packages/manifest.mjs';

const [word, version] = process.argv.slice(2);
if (word === 'prepare') prepareRelease(version);
else if (word === undefined) makeRelease();
else end('expected nothing, or: prepare VERSION');

function prepareRelease(next) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(next ?? '')) end(`expected a version such as 0.2.0, got ${next}`);
  requireCleanTree();
  const { version: current, workspaces } = readManifest('');
  const names = workspaces.map((folder) => readManifest(folder).name);
  const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const inner = new RegExp(`("(?:${names.map(quoted).join('|')})": )"${quoted(current)}"`, 'g');
  for (const folder of ['', ...workspaces]) {
    change(join(folder, 'package.json'), (text) =>
      text.replace(`"version": "${current}"`, `"version": "${next}"`).replace(inner, `$1"${next}"`),
    );
  }
  change('python/pyproject.toml', (text) => text.replace(`version = "${current}"`, `version = "${next}"`));
  const day = new Date().toISOString().slice(0, 10);
  change('CHANGELOG.md', (text) => {
    if (!/^## .* \(unreleased\)$/m.test(text)) end('CHANGELOG.md has no section "## VERSION (unreleased)"');
    return text.replace(/^## .* \(unreleased\)$/m, `## ${next} (${day})`);
  });
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--silent');
  run('node', 'scripts/notice.mjs');
  console.log(`${next} is written; review the difference, commit it, then: npm run release`);
}

function makeRelease() {
  requireCleanTree();
  const { version: current } = readManifest('');
  const section = new RegExp(`^## ${current.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm');
  if (!section.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))) {
    end(`CHANGELOG.md has no section "## ${current} (DATE)": npm run release -- prepare ${current}`);
  }
  const out = join(root, 'out/release');
  rmSync(out, { recursive: true, force: true });
  const tarballs = run('node', 'scripts/pack.mjs', out).trim().split('\n');
  writeFileSync(join(out, `sosia-server-${current}.cdx.json`), run('node', 'scripts/sbom.mjs'));
  const sums = readdirSync(out).map((name) => {
    return `${createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  console.log(`out/release has ${[...readdirSync(out)].join(', ')}. To publish:\n`);
  console.log(`  git tag -s v${current}`);
  for (const path of tarballs) console.log(`  npm publish --access public out/release/${basename(path)}`);
}

function requireCleanTree() {
  const changed = run('git', 'status', '--porcelain').trim();
  if (changed !== '') end(`the tree is not clean; commit or remove first:\n${changed}`);
}

function change(path, edit) {
  const before = readFileSync(join(root, path), 'utf8');
  writeFileSync(join(root, path), edit(before));
}

function run(command, ...words) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 };
  return execFileSync(command, words, options);
}

function end(message) {
  console.error(message);
  process.exit(1);
}
