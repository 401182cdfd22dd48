import { useEffect, useState } from 'preact/hooks';

/** What is loaded for a key; undefined meanwhile, and for an empty key. */
export function useLoaded<T>(key: string, load: () => Promise<T>): T | undefined {
  const [found, setFound] = useState<{ key: string; value: T }>();
  useEffect(() => {
    let current = true;
    if (key) void load().then((value) => current && setFound({ key, value }));
    return () => void (current = false);
  }, [key]);
  return found?.key === key ? found.value : undefined;
}

/** The size of a picture in its own pixels; undefined until it is loaded. */
export function useNaturalSize(source: string): readonly [width: number, height: number] | undefined {
  return useLoaded(source, () => {
    const image = new Image();
    image.src = source;
    return new Promise((done) => (image.onload = () => done([image.naturalWidth, image.naturalHeight] as const)));
  });
}
