import { basename } from 'node:path';
import { isNetwork, openNetwork, openProfile, writeNetwork, type Network } from '@sosia/engine';
import { OnnxRunner } from '@sosia/server';
import { Command } from 'commander';
import { existing } from '../../data-folder/folder.ts';
import { withHelp } from '../../help.ts';
import { printLine } from '../../terminal/output.ts';
import { addSettings } from '../../data-folder/settings.ts';
import type { SharedStore } from '@sosia/server';
import { placeSettings, withStore } from '../../data-folder/with-store.ts';
import { exportedBytes, isOnnxName, readOnnx } from '../../networks/network-file.ts';
import { nsfwjsProfiles } from '../../nsfwjs/profiles.ts';

interface ImportOptions {
  readonly name?: string;
  readonly description?: string;
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('Import an exported profile, an ONNX network, or the profiles of the package nsfwjs.')
    .argument('<file>', 'an exported profile, model.onnx with model.json beside it, or the word nsfwjs')
    .option('--name <NAME>', 'Name of the network in answers; by default that of its file.')
    .option(
      '--description <FILE>',
      'Description of input and output of the network; by default model.json for model.onnx.',
    )
    .action((file: string, options: ImportOptions) =>
      withStore(command, existing, async (store) => {
        if (isOnnxName(file)) return addNetworks(store, [describedNetwork(file, options)]);
        if (options.name ?? options.description) throw new Error(`--name and --description are for .onnx files`);
        if (file === 'nsfwjs') return addNetworks(store, await nsfwjsProfiles());
        const block = exportedBytes(file);
        if (isNetwork(block)) return addNetworks(store, [openNetwork(block)]);
        return store.profiles.add({ profile: openProfile(block), report: null, mistakes: new Uint8Array() });
      }),
    );
  return withHelp(addSettings(command, placeSettings), {
    examples: [
      'sosia profile import receipts.profile',
      'sosia profile import model.onnx --name indoor',
      'sosia profile import nsfwjs',
    ],
    notes: [
      'Networks need the optional package onnxruntime-web. docs/filter.md describes model.json.',
      '`nsfwjs` is the optional package of that name: its model becomes the profiles adult, porn, hentai and sexy.',
    ],
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

function describedNetwork(file: string, { name, description }: ImportOptions): Network {
  const network = readOnnx(file, description === undefined ? {} : { description });
  return { name: name ?? basename(file).replace(/\.onnx$/i, ''), ...network };
}

/** Runs each network once before any is added. Each is added with the size that it takes. */
async function addNetworks(store: SharedStore, networks: readonly Network[]): Promise<void> {
  const taken = (await store.profiles.names()).find((known) => networks.some(({ name }) => name === known.name));
  if (taken) throw new Error(`the profile ${taken.name} exists already`);
  if (networks.some(({ spec }) => spec.output === 'embedding'))
    throw new Error('an embedding is no profile; see sosia app create --network');
  const onnx = new OnnxRunner();
  try {
    const tried = [];
    for (const network of networks) tried.push({ network, about: await onnx.trial(writeNetwork(network)) });
    for (const { network, about } of tried) {
      const { width, height, milliseconds } = about;
      const profile = { ...network, spec: { ...network.spec, width, height } };
      await store.profiles.add({ profile, report: null, mistakes: new Uint8Array() });
      printLine(`${networkInWords(profile)}takes ${Math.round(milliseconds)} ms a picture here`);
    }
  } finally {
    await onnx.close();
  }
}
