import sharp from 'sharp';

const loaders = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer', 'TiffBuffer', 'HeifBuffer'];

/**
 * Takes from this process's libvips, for good, every reader but the ones named above: no files, no SVG, no PDF,
 * whatever a file pretends to be. Also no cache (no picture comes twice) and one thread (one picture at a time).
 */
export function restrictCodecs(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((loader) => `VipsForeignLoad${loader}`) });
  sharp.cache(false);
  sharp.concurrency(1);
}
