// Runs the service on ./data with a demo application: `npm start`, or with flags of `sosia serve`: `npm start -- --host ::`.
import { prepare } from './prepared.mjs';

prepare();
const { run } = await import('../cli/dist/index.js');
process.exitCode = await run(['serve', '--demo', 'fixtures', '--log-level', 'warn', ...process.argv.slice(2)]);
