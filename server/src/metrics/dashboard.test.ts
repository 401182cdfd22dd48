import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { instruments } from './instruments.ts';
import { Metrics } from './metrics.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const file = new URL('../../../deploy/grafana.json', import.meta.url);
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets);

test('the dashboard queries only existing metrics and labels', async () => {
  const metrics = new Metrics();
  metrics.sampleProcess();
  const known = new Set([...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const ours = new Map(Object.values(instruments).map((each) => [each.name, each]));
  assert.ok(queries.length > 20);
  for (const { expr, legendFormat } of queries) {
    const names = [...expr.matchAll(/\b(?:sosia|process|nodejs)_\w+/g)].map(([name]) => name);
    assert.ok(names.length > 0, expr);
    const labels = [...expr.matchAll(/\bby \(([^)]*)\)|(\w+)(?==~?"|!=")/g)].flatMap(([, by, one]) =>
      (by ?? one)!.split(', '),
    );
    labels.push(...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!));
    for (const name of names) {
      const family = known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
      assert.ok(known.has(family), `${name} in ${expr}`);
      const instrument = ours.get(family);
      if (!instrument) continue;
      assert.equal(instrument.kind === 'histogram', family !== name, `${name} in ${expr}`);
      for (const label of labels.filter((it) => it !== 'le' && it !== 'instance')) {
        assert.ok(instrument.labels.includes(label), `${label} of ${name} in ${expr}`);
      }
    }
  }
});

test('everything that is measured is on the dashboard', () => {
  const shown = queries.map(({ expr }) => expr).join('\n');
  for (const { name } of Object.values(instruments)) assert.match(shown, new RegExp(`\\b${name}(_bucket)?\\b`));
});

test('panels have numbers of their own and do not cover each other', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const [i, { gridPos: a, title }] of panels.entries()) {
    assert.ok(a.x + a.w <= 24, title);
    for (const { gridPos: b } of panels.slice(i + 1)) {
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      assert.ok(apart, `${title} is covered`);
    }
  }
});
