type Rgb = { readonly width: number; readonly height: number; readonly rgb: Uint8Array };

/** Luma in [0, 255], row by row. */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Rec. 601. @param rgb  three bytes a pixel */
export function grayOf({ width, height, rgb }: Rgb): Gray {
  const values = new Float32Array(width * height);
  for (let i = 0; i < values.length; i++)
    values[i] = 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2];
  return { width, height, values };
}

/** One of red, green and blue as if it were luma. */
export function channelOf({ width, height, rgb }: Rgb, channel: number): Gray {
  return { width, height, values: Float32Array.from({ length: width * height }, (_, i) => rgb[3 * i + channel]) };
}
