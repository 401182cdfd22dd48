import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isNetwork, openNetwork, openProfile, writeNetwork, type Network } from '@sosia/engine';
import { OnnxRunner } from '@sosia/server/onnx/onnx-runner';
import { Command } from 'commander';
import { existing } from '../../data-folder/folder.ts';
import { withHelp } from '../../help.ts';
import { printLine } from '../../terminal/output.ts';
import { addSettings } from '../../data-folder/settings.ts';
import type { SharedStore } from '@sosia/server';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';
import { exportedBytes, isOnnxName, readOnnx } from '../../networks/network-file.ts';

interface ImportOptions {
  readonly name?: string;
  readonly description?: string;
}

const NSFWJS =
  'The script training/src/nsfwjs/profiles.ts of the repository makes profiles of the package nsfwjs; see docs/filter.md.';

export function importCommand(): Command {
  const command = new Command('import')
    .description('Import an exported profile or an ONNX network.')
    .argument('<file>', 'an exported profile, or model.onnx with model.json beside it')
    .option('--name <NAME>', 'Name of the network in answers; by default that of its file.')
    .option(
      '--description <FILE>',
      'Description of input and output of the network; by default model.json for model.onnx.',
    )
    .action((file: string, options: ImportOptions) =>
      withStore(command, existing, async (store) => {
        const { name, description } = options;
        if (isOnnxName(file)) {
          const network = readOnnx(file, description === undefined ? {} : { description });
          return addNetwork(store, { name: name ?? basename(file).replace(/\.onnx$/i, ''), ...network });
        }
        if (name ?? description) throw new Error(`--name and --description are for .onnx files`);
        if (file === 'nsfwjs' && !existsSync(file)) throw new Error(NSFWJS);
        const block = exportedBytes(file);
        if (isNetwork(block)) return addNetwork(store, openNetwork(block));
        return store.profiles.add({ profile: openProfile(block), report: null, mistakes: new Uint8Array() });
      }),
    );
  return withHelp(addSettings(command, placeSettings), {
    examples: ['sosia profile import receipts.profile', 'sosia profile import model.onnx --name indoor'],
    notes: ['Networks need the optional package onnxruntime-web. docs/filter.md describes model.json.', NSFWJS],
  });
}

/** A network as printed by `show`. */
export function networkInWords({ name, spec, model }: Network): string {
  const { labels, positive, threshold, width, height, output } = spec;
  const size = width && height ? `, ${width} x ${height} pixels` : '';
  const megabytes = (model.length / 1e6).toFixed(1);
  if (output === 'embedding') return `${name}: a network for Image Similarity, ${megabytes} MB${size}\n`;
  return (
    `${name}: a network, ${megabytes} MB${size}, without a report\n` +
    `fits where ${positive.join(' or ')} of ${labels.join(', ')} has a probability over ${threshold}\n`
  );
}

/** Runs the network once before it is added with the size that it takes. */
async function addNetwork(store: SharedStore, network: Network): Promise<void> {
  const { name, spec } = network;
  if ((await store.profiles.names()).some((known) => known.name === name))
    throw new Error(`the profile ${name} exists already`);
  if (spec.output === 'embedding') throw new Error('an embedding is no profile; see sosia app create --network');
  const onnx = new OnnxRunner();
  try {
    const { width, height, milliseconds } = await onnx.trial(writeNetwork(network));
    const profile = { ...network, spec: { ...spec, width, height } };
    await store.profiles.add({ profile, report: null, mistakes: new Uint8Array() });
    printLine(`${networkInWords(profile)}takes ${Math.round(milliseconds)} ms a picture here`);
  } finally {
    await onnx.close();
  }
}
