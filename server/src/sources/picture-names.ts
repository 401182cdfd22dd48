const PICTURE = /\.(jpe?g|png|webp|gif|bmp|tiff?|hei[cf]|avif)$/i;

/** Whether a path ends as that of a picture, and none of its parts is hidden. */
export function isPictureName(path: string): boolean {
  return PICTURE.test(path) && !path.split('/').some((part) => part.startsWith('.'));
}
