// Bundles the service and the command `sosia` into cli/dist/bundle, in the form in which the package has them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleService } from './packages/bundle.mjs';
import { remember, unchanged } from './unchanged.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Holds what the bundle was made of. */
const stamp = here('cli/dist/bundle.stamp');

if (!existsSync(here('cli/dist/bundle/index.js')) || !unchanged(stamp)) {
  const files = await bundleService(here('cli/dist/bundle'));
  remember(stamp, [
    ...files,
    fileURLToPath(import.meta.url),
    here('scripts/packages/bundle.mjs'),
    here('package-lock.json'),
  ]);
}
