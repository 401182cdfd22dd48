// Loaded with every unit test: a test that starts a process or opens a port fails, and belongs to another level.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

if (process.env.NODE_TEST_CONTEXT) {
  for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync']) {
    childProcess[name] = () => refuse(`starts a process (${name})`);
  }
  net.Server.prototype.listen = () => refuse('opens a port');
  syncBuiltinESMExports();
}

function refuse(what) {
  throw new Error(`a unit test ${what}: name the file x.integration.test.ts`);
}
