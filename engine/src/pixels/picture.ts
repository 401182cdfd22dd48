/**
 * A picture in the engine: decoded, upright, sRGB, composed on white. Three bytes a pixel (red, green, blue), row-major,
 * no padding.
 *
 * Coordinates throughout: the centre of the upper left pixel is (0.5, 0.5), so that the picture spans
 * [0, width] × [0, height]; x grows to the right, y grows downwards; angles are counted from +x towards +y
 * (clockwise on a screen).
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** One byte a pixel, 255 for opaque; where it is given, the picture had transparent parts, and `rgb` has them on white. */
  readonly alpha?: Uint8Array | undefined;
  /** Size of the upright picture before any reduction by the decoder, in pixels. */
  readonly originalWidth: number;
  readonly originalHeight: number;
}
