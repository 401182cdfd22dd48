// Runs the service on ./data with a demo application: `npm start`, or with flags of `sosia demo`: `npm start -- --host ::`.
import { prepare } from './prepared.mjs';

prepare();
const { run } = await import('../cli/dist/index.js');
process.exitCode = await run(['demo', '--log-level', 'warn', ...process.argv.slice(2)]);
