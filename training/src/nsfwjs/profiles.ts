// Converts the model of the installed package nsfwjs to profiles: `node training/dist/nsfwjs/profiles.js FOLDER`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { networkSpecOf, writeNetwork } from '@sosia/engine';
import { labels, readModel } from './package.ts';
import { toOnnx } from './to-onnx.ts';

/** The labels that make each profile fit. */
const positive: Readonly<Record<string, readonly (typeof labels)[number][]>> = {
  adult: ['Hentai', 'Porn'],
  porn: ['Porn'],
  hentai: ['Hentai'],
  sexy: ['Sexy'],
};

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder for the profiles');
const { model: layers, weights } = await readModel();
const model = toOnnx(layers, weights);
for (const [name, fitting] of Object.entries(positive)) {
  const file = join(folder, `${name}.profile`);
  writeFileSync(
    file,
    writeNetwork({ name, spec: networkSpecOf({ labels, positive: fitting, fit: 'stretch' }), model }),
  );
  console.log(file);
}
