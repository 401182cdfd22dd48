import { eraseLine, logLine, visible } from './output.ts';

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

interface Entry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly path?: string;
  readonly code?: number;
  readonly ms?: number;
  readonly [field: string]: unknown;
}

/** Fields that the rest of a line says, or that only programs need. */
const left = ['level', 'time', 'msg', 'reqId', 'method', 'http', 'rss'];

/** A line of the log, which is JSON, for a person: time of day, what happened, and its fields. */
export function readableLine(json: string): string {
  const entry = JSON.parse(json) as Entry;
  const { level, time, msg = '', path, code, ms, ...fields } = entry;
  const day = new Date(time);
  const clock = [day.getHours(), day.getMinutes(), day.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
  const request = path === undefined ? [] : [path.split('/').at(-1) || '/', code === 0 ? 'ok' : code];
  const others = Object.entries(fields)
    .filter(([name]) => !left.includes(name) && (path === undefined || name !== 'bytes'))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const what = path !== undefined && msg === 'answered' ? request : [...request, msg];
  const words = [levels[level] && `${levels[level]}:`, ...what, ms !== undefined && `${ms} ms`, ...others];
  return visible(`${clock}  ${words.filter((word) => word !== '' && word !== undefined && word !== false).join('  ')}`);
}

/** Where a log for people is written. A bar that is being drawn begins anew below the line. */
export const readableLog = {
  write(json: string): void {
    eraseLine();
    logLine(readableLine(json));
  },
};
