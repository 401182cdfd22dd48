import { useEffect, useState } from 'preact/hooks';

/** The size of a picture in its own pixels; undefined until it is loaded. */
export function useNaturalSize(source: string): readonly [width: number, height: number] | undefined {
  const [known, setKnown] = useState<{ source: string; size: readonly [number, number] }>();
  useEffect(() => {
    const image = new Image();
    image.onload = () => setKnown({ source, size: [image.naturalWidth, image.naturalHeight] });
    if (source) image.src = source;
    return () => (image.onload = null);
  }, [source]);
  return known?.source === source ? known.size : undefined;
}
