// Copies the licence into the package that is about to be packed: its `prepack`.
import { copyFileSync } from 'node:fs';

copyFileSync(new URL('../LICENSE', import.meta.url), 'LICENSE');
