// Runs the service on ./data with a demo application: `npm start`, or with flags of `sosia demo`: `npm start -- --host ::`.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

/** Holds the process id of the service that runs from this clone. */
const marker = fileURLToPath(new URL('../node_modules/.sosia-running', import.meta.url));

const running = existsSync(marker) ? Number(readFileSync(marker, 'utf8')) : undefined;
if (running !== undefined && isAlive(running)) {
  console.error(`Sosia runs from this folder already (process ${running}); compiling would change its files.`);
  console.error('Stop it first with Ctrl+C in its terminal.');
  process.exit(1);
}
prepare();
writeFileSync(marker, String(process.pid));
try {
  const { run } = await import('../cli/dist/bundle/index.js');
  process.exitCode = await run(['demo', '--log-level', 'warn', ...process.argv.slice(2)]);
} finally {
  rmSync(marker, { force: true });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.mjs');
  } catch (cause) {
    return cause.code === 'ENOENT' && !existsSync('/proc'); // alive, and there is no folder of processes to look into
  }
}
