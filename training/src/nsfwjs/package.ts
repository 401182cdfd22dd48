import { createRequire } from 'node:module';
import { join } from 'node:path';
import { decodeWeights, type LayersModel, type WeightTensor } from './layers-model.ts';

/** What the labels of the model stand for, in the order of its output. */
export const labels = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'] as const;

/** The part of nsfwjs/models/mobilenet_v2 that is read. */
interface Entry {
  readonly MobileNetV2Model: {
    readonly modelJson: () => Promise<{ readonly default: LayersModel }>;
    /** Base64, one a file of weights. */
    readonly weightBundles: readonly (() => Promise<{ readonly default: string }>)[];
  };
}

/**
 * The MobileNetV2 of the installed package nsfwjs. The package is looked for beside this program, then in the working
 * folder. TensorFlow.js is not needed.
 */
export async function readModel(): Promise<{ model: LayersModel; weights: Map<string, WeightTensor> }> {
  const { MobileNetV2Model } = installed();
  const { default: model } = await MobileNetV2Model.modelJson();
  const [group] = model.weightsManifest;
  if (model.weightsManifest.length !== 1)
    throw new Error(`nsfwjs: expected one group of weights, got ${model.weightsManifest.length}`);
  const files = await Promise.all(MobileNetV2Model.weightBundles.map((load) => load()));
  const bytes = Buffer.concat(files.map((file) => Buffer.from(file.default, 'base64')));
  return { model, weights: decodeWeights(group, bytes) };
}

function installed(): Entry {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(place)('nsfwjs/models/mobilenet_v2') as Entry;
    } catch (cause) {
      const { code } = cause as { code?: string };
      if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw new Error('expected nsfwjs 4.3 or a later 4', { cause });
      if (code !== 'MODULE_NOT_FOUND') throw cause;
    }
  }
  throw new Error('the package nsfwjs is not installed; npm install --no-save --legacy-peer-deps nsfwjs@4.3');
}
