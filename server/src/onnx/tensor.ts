import type { NetworkSpec, Picture } from '@sosia/engine';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A picture as the numbers that a network takes: fitted to its size, each channel in [0, 1], then (channel - mean) / std.
 * Reduced by a triangle as wide as two of the new pixels, which is what "bilinear" means where networks are trained.
 */
export function tensorOf(
  picture: Picture,
  { width, height }: Size,
  { fit, layout, channels, mean, std }: Pick<NetworkSpec, 'fit' | 'layout' | 'channels' | 'mean' | 'std'>,
): Float32Array {
  const [across, down] = [picture.width / width, picture.height / height];
  const step = fit === 'crop' ? { x: Math.min(across, down), y: Math.min(across, down) } : { x: across, y: down };
  const columns = taps(picture.width, step.x, width);
  const rows = taps(picture.height, step.y, height);

  const lines = new Map<number, Float64Array>(); // rows of the picture, reduced across
  const lineAt = (y: number): Float64Array => {
    const known = lines.get(y);
    if (known) return known;
    const line = new Float64Array(3 * width);
    columns.forEach(({ from, weights }, x) => {
      weights.forEach((weight, k) => {
        const at = 3 * (y * picture.width + from + k);
        for (let c = 0; c < 3; c++) line[3 * x + c]! += weight * picture.rgb[at + c]!;
      });
    });
    lines.set(y, line);
    return line;
  };

  const tensor = new Float32Array(3 * width * height);
  rows.forEach(({ from, weights }, y) => {
    const sum = new Float64Array(3 * width);
    weights.forEach((weight, k) => lineAt(from + k).forEach((value, i) => (sum[i]! += weight * value)));
    for (const known of lines.keys()) if (known < from) lines.delete(known);
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const value = sum[3 * x + (channels === 'RGB' ? c : 2 - c)]! / 255;
        const at = layout === 'NCHW' ? (c * height + y) * width + x : 3 * (y * width + x) + c;
        tensor[at] = (value - mean[c]!) / std[c]!;
      }
    }
  });
  return tensor;
}

/**
 * Of each new pixel along a side the old ones it is made of, and their shares.
 * @param step  old pixels a new one takes; what they do not cover is left out at both ends alike
 */
function taps(side: number, step: number, count: number): { from: number; weights: number[] }[] {
  const start = (side - step * count) / 2;
  const reach = Math.max(1, step);
  return Array.from({ length: count }, (_, i) => {
    const centre = start + (i + 0.5) * step;
    const from = Math.max(0, Math.floor(centre - reach));
    const to = Math.min(side, Math.ceil(centre + reach));
    const weights = Array.from({ length: to - from }, (_, k) =>
      Math.max(0, 1 - Math.abs(from + k + 0.5 - centre) / reach),
    );
    const sum = weights.reduce((a, b) => a + b, 0);
    return { from, weights: weights.map((weight) => weight / sum) };
  });
}
