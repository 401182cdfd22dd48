import { networkSpecOf, type Network } from '@sosia/engine';
import { labels, readModel } from './package.ts';
import { toOnnx } from './to-onnx.ts';

/** The labels that make each profile fit. */
const positive: Readonly<Record<string, readonly (typeof labels)[number][]>> = {
  adult: ['Hentai', 'Porn'],
  porn: ['Porn'],
  hentai: ['Hentai'],
  sexy: ['Sexy'],
};

/** The model of the installed package nsfwjs as profiles. */
export async function nsfwjsProfiles(): Promise<Network[]> {
  const { model: layers, weights } = await readModel();
  const model = toOnnx(layers, weights);
  return Object.entries(positive).map(([name, fitting]) => ({
    name,
    spec: networkSpecOf({ labels, positive: fitting, fit: 'stretch' }),
    model,
  }));
}
