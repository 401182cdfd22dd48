import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly kind: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const line = new RegExp(`^(${metricName})(?:\\{(.*)\\})? (NaN|[+-]Inf|[-+.0-9e]+)$`, 'i'); // special values in any case, as Prometheus accepts them
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/**
 * Reads Prometheus' text format, version 0.0.4, and enforces its rules. It refuses samples before their TYPE, split
 * families, repeated series, and inconsistent histograms.
 */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  assert.ok(text.endsWith('\n'), 'ends with a line end');
  const families = new Map<string, { kind: string; help: string; samples: Sample[] }>();
  const series = new Set<string>();
  let current: [name: string, family: { kind: string; help: string; samples: Sample[] }] | undefined;
  for (const each of text.split('\n').filter((it) => it !== '')) {
    const [, comment, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(each) ?? [];
    if (comment === 'HELP') {
      assert.ok(!families.has(name!), `${name} comes twice`);
      families.set(name!, { kind: '', help: rest!, samples: [] });
      current = [name!, families.get(name!)!];
    } else if (comment === 'TYPE') {
      assert.equal(current?.[0], name);
      assert.match(rest!, /^(counter|gauge|histogram|summary)$/);
      current![1].kind = rest!;
    } else {
      assert.ok(current?.[1].kind, `a sample before its TYPE: ${each}`);
      const sample = readSample(each);
      const suffixes = current[1].kind === 'histogram' ? '(_bucket|_sum|_count)' : '';
      assert.match(sample.name, new RegExp(`^${current[0]}${suffixes}$`));
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      assert.ok(!series.has(identity), `${identity} comes twice`);
      series.add(identity);
      current[1].samples.push(sample);
    }
  }
  for (const [name, family] of families) if (family.kind === 'histogram') assertHistogram(name, family);
  return families;
}

/** The sum over the samples of a name that have these labels. */
export function sumOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(count|sum|bucket)$/, ''));
  assert.ok(family, `no family ${name}`);
  return family.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

function readSample(text: string): Sample {
  const [, name, inner = '', value] = line.exec(text) ?? assert.fail(`not a sample: ${text}`);
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  while (label.lastIndex < inner.length) {
    const [, key, quoted] = label.exec(inner) ?? assert.fail(`not labels: ${inner}`);
    labels[key!] = quoted!.replace(/\\(.)/g, (_, it: string) => (it === 'n' ? '\n' : it));
  }
  return { name: name!, labels, value: Number(value!.replace('Inf', 'Infinity')) };
}

function assertHistogram(name: string, { samples }: Family): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels;
    const key = JSON.stringify(others);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) {
    const buckets = group.filter((each) => each.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels['le']!.replace('+Inf', 'Infinity')));
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
    );
    assert.equal(bounds.at(-1), Infinity);
    buckets.reduce((before, { value }) => (assert.ok(value >= before, `${name} falls`), value), 0);
    assert.equal(group.find((each) => each.name === `${name}_count`)?.value, buckets.at(-1)!.value);
    assert.ok(group.some((each) => each.name === `${name}_sum`));
  }
}
