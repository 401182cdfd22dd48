/** Writes the block of a network of a data folder to standard output: a process of its own, so that the server never holds it. */
import { isFailure } from '../errors.ts';
import { storedNetwork } from '../store/profile-store.ts';
import { UNKNOWN_NETWORK_EXIT } from './stored-network.ts';

const [folder, name] = process.argv.slice(2) as [string, string];
try {
  process.stdout.write(storedNetwork(folder, name));
} catch (cause) {
  if (!isFailure(cause, 'UNKNOWN_PROFILE')) throw cause;
  process.exitCode = UNKNOWN_NETWORK_EXIT;
}
