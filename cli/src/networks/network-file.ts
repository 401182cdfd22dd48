import { readFileSync, statSync } from 'node:fs';
import { MAX_NETWORK_BYTES, networkSpecOf, openNetwork, ProfileError, type NetworkSpec } from '@sosia/engine';

/** Space for the parts of an exported network beside the model. */
const BESIDE = 100_000;

/** A model and its description, from an ONNX file with a JSON file beside it. */
export function readOnnx(
  file: string,
  { description = file.replace(/\.onnx$/i, '.json'), output }: { description?: string; output?: NetworkSpec['output'] },
): { spec: NetworkSpec; model: Uint8Array } {
  let spec;
  try {
    spec = networkSpecOf({ ...(output && { output }), ...JSON.parse(readFileSync(description, 'utf8')) });
  } catch (cause) {
    throw new Error(`${description}: ${(cause as Error).message}`, { cause });
  }
  return { spec, model: contentOf(file, MAX_NETWORK_BYTES) };
}

/** The embedding network of an ONNX file or of an exported network. */
export function readEmbedding(file: string): { spec: NetworkSpec; model: Uint8Array } {
  const found = isOnnxName(file) ? readOnnx(file, { output: 'embedding' }) : openNetwork(exportedBytes(file));
  if (found.spec.output !== 'embedding')
    throw new Error(`${file}: expected a network whose output is an embedding, got ${found.spec.output}`);
  return found;
}

export function isOnnxName(file: string): boolean {
  return /\.onnx$/i.test(file);
}

/** The content of a file that `sosia profile export` wrote. */
export function exportedBytes(file: string): Uint8Array {
  return contentOf(file, MAX_NETWORK_BYTES + BESIDE);
}

function contentOf(file: string, most: number): Uint8Array {
  const { size } = statSync(file);
  if (size > most) throw new ProfileError(`${file}: expected at most ${most} bytes, got ${size}`);
  return new Uint8Array(readFileSync(file));
}
