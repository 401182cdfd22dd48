// A real OpenSearch for development and tests: three nodes on the loopback, without security.
//   npm run cluster -- up        starts them, or those that have ended; prints {"url": …, "nodes": …}
//   npm run cluster -- down      ends them and removes their data
//   npm run cluster -- install   downloads the engine, as `up` does where it is missing; with `--security` a second one with the security plugin
// `--folder PATH` is another place for data and logs, and so another cluster. `-E node.store.allow_mmap=true` is a setting of the nodes.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './prepared.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const clone = createHash('sha256').update(root).digest('hex').slice(0, 8);
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: join(tmpdir(), `sosia-cluster-${clone}`) },
    setting: { type: 'string', short: 'E', multiple: true, default: [] },
    built: { type: 'boolean' },
    security: { type: 'boolean' },
  },
});
const folder = resolve(options.folder);
const settings = Object.fromEntries(options.setting.map((text) => text.split('=', 2)));

const commands = {
  async up() {
    installEngine();
    const nodes = await startCluster(folder, { settings });
    console.log(JSON.stringify({ url: nodes[0].url, nodes }));
  },
  down: () => stopCluster(folder),
  async install() {
    if (options.security) return installSecuredEngine();
    installEngine();
    await archiveClasses();
  },
};
const command = positionals.length === 1 && Object.hasOwn(commands, positionals[0]) && commands[positionals[0]];
if (!command) {
  console.error(`expected one of: ${Object.keys(commands).join(', ')}`);
  process.exit(2);
}

if (!options.built) prepare();
const { installEngine, installSecuredEngine } = await import('../testing/dist/cluster/engine.js');
const { archiveClasses, startCluster, stopCluster } = await import('../testing/dist/cluster/cluster.js');
try {
  await command();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
