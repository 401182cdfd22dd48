import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, for drawings that fill it. @param least  what is drawn in narrower ones */
export function useWidth(least: number) {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(least, Math.round(entry!.contentRect.width))));
    observer.observe(holder.current!);
    return () => observer.disconnect();
  }, []);
  return { holder, width };
}
