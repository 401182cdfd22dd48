// Makes the packages to publish: `npm run pack`, into out/packages, or `npm run pack -- FOLDER`, or some of them:
// `npm run pack -- FOLDER engine`. Prints the path of each tarball.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from './packages/code.mjs';
import { stageClient } from './packages/client-package.mjs';
import { stageEngine } from './packages/engine-package.mjs';
import { stageServer } from './packages/server-package.mjs';
import { prepare } from './prepared.mjs';

prepare();
const [folder, ...only] = process.argv.slice(2);
const out = resolve(folder ?? join(root, 'out/packages'));
const stages = { server: stageServer, client: stageClient, engine: stageEngine };
const staged = mkdtempSync(join(tmpdir(), 'sosia-pack-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, stage] of Object.entries(stages)) {
    if (only.length > 0 && !only.includes(name)) continue;
    await stage(join(staged, name));
    const { status, stdout } = spawnSync('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: join(staged, name),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm pack of ${name} ended with ${status}`);
    console.log(join(out, stdout.trim()));
  }
} finally {
  rmSync(staged, { recursive: true, force: true });
}
