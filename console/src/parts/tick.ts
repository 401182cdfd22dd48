import { useEffect, useState } from 'preact/hooks';

/** Counts up every few seconds while the page is visible. */
export function useTick(period: number): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setTick((before) => before + 1), period);
    return () => clearInterval(timer);
  }, [period]);
  return tick;
}
