import { readFileSync } from 'node:fs';
import { type Family, readExposition, type Sample } from '@sosia/server/http/exposition.test.kit';

/** One reading of `/metrics`. */
export interface Scrape {
  /** Seconds. */
  readonly at: number;
  readonly families: ReadonlyMap<string, Family>;
}

type Labels = Readonly<Record<string, string>>;
type Vector = readonly { readonly labels: Labels; readonly value: number }[];

/** The alarms that a page of docs/ recommends: what they mean, and their expressions. */
export function recommendedAlarms(page: 'operating.md' | 'cluster.md'): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const [, table] = /^Recommended alarms.*:\n\n((?:\|.*\n)+)/m.exec(text)!;
  const rows = [...table!.matchAll(/^\| (?!condition)(\S[^|]*?) +\| `([^`]+)` +\|$/gm)];
  return new Map(rows.map(([, condition, expression]) => [condition!, expression!]));
}

export async function scrape(modify: string): Promise<Scrape> {
  const answer = await fetch(`${modify}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return { at: performance.now() / 1000, families: readExposition(await answer.text()) };
}

/**
 * Whether an alarm fires after these scrapes, by the part of Prometheus' language that the recommended alarms use. Windows
 * cover all scrapes. As in Prometheus, a rise needs two readings of a series: one that has just appeared has none.
 */
export function fires(expression: string, scrapes: readonly Scrape[]): boolean {
  const [, left, sign, limit] = /^(.*) (>|==|<) ([\d.]+)$/.exec(expression) ?? unknown(expression);
  return valueOf(left!, scrapes).some(({ value }) => {
    if (sign === '>') return value > Number(limit);
    return sign === '<' ? value < Number(limit) : value === Number(limit);
  });
}

function valueOf(expression: string, scrapes: readonly Scrape[]): Vector {
  const [, quantile, inner] = /^histogram_quantile\(([\d.]+), sum by \(le\) \((.*)\)\)$/.exec(expression) ?? [];
  if (inner !== undefined) return quantileOf(Number(quantile), valueOf(inner, scrapes));
  const [, name, ranged] = /^(increase|rate)\((.*)\[\d+m\]\)$/.exec(expression) ?? [];
  const latest = scrapes.at(-1)!;
  if (ranged === undefined) return selected(expression, latest);
  return selected(ranged, latest).flatMap(({ labels }) => {
    const readings = scrapes.flatMap((each) =>
      selected(ranged, each)
        .filter((one) => JSON.stringify(one.labels) === JSON.stringify(labels))
        .map(({ value }) => ({ at: each.at, value })),
    );
    const [first, last] = [readings[0]!, readings.at(-1)!];
    if (readings.length < 2) return [];
    const rise = last.value - first.value;
    return [{ labels, value: name === 'rate' ? rise / (last.at - first.at) : rise }];
  });
}

function selected(selector: string, { families }: Scrape): Vector {
  const [, name, inner = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? unknown(selector);
  const wanted = [...inner.matchAll(/(\w+)="([^"]*)"/g)];
  const family = families.get(name!) ?? families.get(name!.replace(/_(bucket|count|sum)$/, ''));
  const samples: readonly Sample[] = (family ?? unknown(selector)).samples;
  return samples.filter(
    (each) => each.name === name && wanted.every(([, label, value]) => each.labels[label!] === value),
  );
}

/** The smallest bound below which this share of the observations is. */
function quantileOf(quantile: number, rates: Vector): Vector {
  const bounds = new Map<number, number>();
  for (const { labels, value } of rates) {
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    bounds.set(bound, (bounds.get(bound) ?? 0) + value);
  }
  const all = bounds.get(Infinity) ?? 0;
  if (all === 0) return [];
  const sorted = [...bounds].sort(([a], [b]) => a - b);
  const [bound] = sorted.find(([, value]) => value >= quantile * all)!;
  const [largest] = sorted.at(-2)!;
  return [{ labels: {}, value: Math.min(bound, largest) }];
}

function unknown(expression: string): never {
  throw new Error(`cannot be evaluated: ${expression}`);
}
