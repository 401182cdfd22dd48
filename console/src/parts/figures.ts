/** Numbers as people read them. */

export function count(number: number, one: string, many = `${one}s`): string {
  return `${whole(number)} ${number === 1 ? one : many}`;
}

export function whole(number: number): string {
  return number.toLocaleString('en');
}

/** `12.3 KB`, in steps of a thousand. */
export function bytes(number: number): string {
  return scaled(number, ['B', 'KB', 'MB', 'GB', 'TB']);
}

/** `24 ms`, `1.3 s`. */
export function time(ms: number): string {
  return scaled(ms, ['ms', 's']);
}

/** `40 s`, `3 min`, `2 h`. */
export function duration(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1) return `${Math.ceil(ms / 1000)} s`;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}

/** `93.4 %`, and `100 %` for 100 alone. */
export function percent(value: number): string {
  return `${value === 100 || value === 0 ? value : value.toFixed(1)} %`;
}

/** `just now`, `5 min ago`, `3 h ago`, or the date. */
export function ago(at: number, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `24 Dec 2026, 18:00`, with seconds where `time` is medium. */
export function dateOf(iso: string, time: 'short' | 'medium' = 'short'): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: time });
}

function scaled(value: number, units: readonly string[]): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const own = value / 1000 ** step;
  return `${step === 0 || own >= 100 ? Math.round(own) : own.toFixed(1)} ${units[step]}`;
}
