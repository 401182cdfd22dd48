import { join } from 'node:path';
import { openUnchecked } from './database.ts';
import { fileNames } from './folder.ts';
import { structureOf } from './structure.ts';

const structure = structureOf(openUnchecked(join(process.argv[2]!, fileNames.images)));
process.stdout.write(JSON.stringify(structure));
