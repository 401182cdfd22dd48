import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditLayout, directoryLayout, picturesLayout, recordsLayout } from './layout.ts';

interface Layout {
  readonly aliases?: object;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: { readonly dynamic: string; readonly properties: Readonly<Record<string, object>> };
}

const layouts = {
  directory: directoryLayout(1),
  records: recordsLayout('records', 1),
  audit: auditLayout(1),
  pictures: picturesLayout(['pictures'], { shards: 3, replicas: 1 }),
} as Record<string, Layout>;

test('every index takes known fields alone, and a change is on each disk before it is answered', () => {
  for (const [name, { settings, mappings }] of Object.entries(layouts)) {
    assert.equal(mappings.dynamic, 'strict', name);
    assert.equal(settings['index.translog.durability'], 'request', name);
    assert.equal(settings['number_of_replicas'], 1, name);
    assert.equal(settings['number_of_shards'], name === 'pictures' ? 3 : 1, name);
  }
});

test('records and pictures are behind an alias, the others are not', () => {
  const aliases = Object.entries(layouts).map(([name, layout]) => [name, layout.aliases]);
  assert.deepEqual(aliases, [
    ['directory', {}],
    ['records', { records: {} }],
    ['audit', {}],
    ['pictures', { pictures: {} }],
  ]);
});

/** `field: option value, …` of each field; a change of one needs a new version of the format. */
const fields = {
  directory: ['content: type object, enabled false'],
  records: [
    'application: type integer',
    'kind: type keyword',
    'id: type keyword',
    'change: type keyword, index false, doc_values false',
    'body: type binary',
    'removed: type boolean',
  ],
  audit: [
    'at: type date',
    'number: type integer',
    'kind: type keyword, index false, doc_values false',
    'administrator: type boolean, index false, doc_values false',
    ...['key', 'who', 'what'].map((name) => `${name}: type keyword, index false, doc_values false`),
    'code: type integer',
    ...['application', 'detail'].map((name) => `${name}: type keyword, index false, doc_values false`),
  ],
  pictures: [
    'application: type keyword, norms false, index_options docs',
    'id: type keyword',
    'keywords: type keyword, doc_values false, norms false, index_options docs',
    'change: type keyword, index false, doc_values false',
    'changed: type long',
    'digest: type keyword, norms false, index_options docs',
    'norm: type integer, index false',
    'terms: type text, analyzer whitespace, similarity boolean, norms false, index_options docs',
    ...['beginning', 'rest'].map((name) => `${name}: type binary, doc_values true`),
    'dna: type binary, store true',
    'thumbnail: type binary, doc_values true',
    'details: type object, enabled false',
    'deleted: type date',
  ],
};

for (const [name, expected] of Object.entries(fields)) {
  test(`the fields of the index of ${name} are stored and searched as in its format`, () => {
    const found = Object.entries(layouts[name]!.mappings.properties).map(([field, options]) => {
      const all = Object.entries(options).map(([option, value]) => `${option} ${value}`);
      return `${field}: ${all.join(', ')}`;
    });
    assert.deepEqual(found, expected);
  });
}

test('an index of pictures has few large segments, and shows changes after a fifth of a second', () => {
  const { number_of_routing_shards: _, ...settings } = layouts['pictures']!.settings;
  assert.deepEqual(settings, {
    ...{ number_of_shards: 3, number_of_replicas: 1, 'index.translog.durability': 'request' },
    refresh_interval: '200ms',
    'index.merge.policy.segments_per_tier': 3,
    'index.merge.policy.max_merge_at_once': 3,
    'index.merge.policy.floor_segment': '64mb',
    'index.merge.policy.max_merged_segment': '50gb',
  });
});

test('the shards of an index of pictures can be doubled until there are more than 512', () => {
  for (let shards = 1; shards <= 1024; shards++) {
    const { settings } = picturesLayout(['a'], { shards, replicas: 0 }) as Layout;
    const most = settings['number_of_routing_shards'] as number;
    assert.ok(most > 512 && most <= 1024 && Number.isInteger(Math.log2(most / shards)), `${shards}: ${most}`);
  }
});
