import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { parseHashes, textOfHashes, type HashEntry } from './hash-format.ts';

const [A, B] = ['0f'.repeat(32), `${'a'.repeat(63)}0`];

function entriesOf(text: string): string[] {
  const { hashes, notes } = parseHashes(Buffer.from(text));
  const lines = Buffer.from(notes).toString('utf8').split('\n');
  const digits = Buffer.from(hashes).toString('hex');
  return Array.from({ length: digits.length / 64 }, (_, i) => `${digits.slice(64 * i, 64 * i + 64)} ${lines[i] ?? ''}`);
}

const read: Readonly<Record<string, readonly [text: string, entries: readonly string[]]>> = {
  'a hash a line': [`${A}\n${B.toUpperCase()}\n`, [`${A} `, `${B} `]],
  'lines of Windows, blank ones, and no end of the last one': [`\ufeff${A}\r\n\r\n${B}`, [`${A} `, `${B} `]],
  'the local file of threatexchange': [`pdq ${A}\n`, [`${A} `]],
  'the output of sosia hash': [`${A},99,a.jpg\n${B},0,"b, ""c"".jpg"\n`, [`${A} 99,a.jpg`, `${B} 0,b, "c".jpg`]],
  'hash and quality': [`${A},100`, [`${A} 100,`]],
  'the samples of Hasher-Matcher-Actioner': [
    `${A},2880742865368386,2020-07-31T18:47:52+0000,media_priority_samples disputed\n`,
    [`${A} ,2880742865368386`],
  ],
  'columns in any order': [`Quality,other,HASH,Label\n50,x,${A},a\n,x,${B},\n`, [`${A} 50,a`, `${B} ,`]],
  'threatexchange dataset -P --csv': [
    `collab,signal_type,signal_str,category,tags\nSample,pdq,${A},WORTH_INVESTIGATING,\n"",video_md5,00,X,\n,pdq,${B},X,t u\n`,
    [`${A} ,`, `${B} ,t u`],
  ],
  'CSV of the site of ThreatExchange': [
    `td_raw_indicator,td_indicator_type,td_subjective_tags\n${A},HASH_PDQ,testing\n`,
    [`${A} ,testing`],
  ],
  'threat_updates of ThreatExchange': [
    JSON.stringify({
      data: [
        { id: '1', indicator: A, type: 'HASH_PDQ', last_updated: 1, should_delete: false, descriptors: { data: [] } },
        { id: '2', indicator: '00', type: 'HASH_MD5', should_delete: false },
        { id: '3', indicator: B, type: 'HASH_PDQ', should_delete: true },
        { indicator: B, type: 'HASH_PDQ', tags: { data: [{ id: '9', text: 'one' }, { text: 'two' }] } },
      ],
      paging: { cursors: { after: 'x' } },
    }),
    [`${A} ,1`, `${B} ,one two`],
  ],
  'descriptors of ThreatExchange': [
    JSON.stringify([{ td_raw_indicator: A, td_indicator_type: 'HASH_PDQ', td_subjective_tags: ['x', 'y'] }]),
    [`${A} ,x y`],
  ],
  'a list of hashes in JSON': [JSON.stringify([A, { hash: B, quality: 7 }]), [`${A} ,`, `${B} 7,`]],
  'a label of as many characters as may be': [`${A},,${'😀'.repeat(255)}`, [`${A} ,${'😀'.repeat(255)}`]],
  nothing: ['\n', []],
};
for (const [name, [text, entries]] of Object.entries(read))
  test(`read: ${name}`, () => assert.deepEqual(entriesOf(text), entries));

test('entries of another kind are counted', () => {
  assert.equal(parseHashes(Buffer.from(read['threat_updates of ThreatExchange']![0])).skipped, 2);
  assert.equal(parseHashes(Buffer.from(read['threatexchange dataset -P --csv']![0])).skipped, 1);
});

const refused: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  'a digit that is none': [`${A}\n${A.slice(1)}g`, /^line 2: expected 64 hexadecimal digits, got "f0f0/],
  'a hash of another length': [A.slice(2), /line 1: expected 64 hexadecimal digits, got .*, 62 characters/],
  'a quality over 100': [`${A},101`, /line 1: expected a quality of 0 to 100, got "101"/],
  'a quality below 0': [`hash,quality\n${A},-1`, /line 2: expected a quality of 0 to 100, got "-1"/],
  'a quality that is no number': [`${A},photo.jpg`, /a quality of 0 to 100, got "photo.jpg"/],
  'a label too long': [`${A},,${'x'.repeat(256)}`, /a label of at most 255 characters/],
  'a label with a control character': [
    JSON.stringify([{ hash: A, id: 'a\u0007' }]),
    /none of them a control character/,
  ],
  'a line too long': ['x'.repeat(10_001), /line 1: expected at most 10000 characters/],
  'a quotation mark without end': [`${A},1,"a`, /line 1: expected a comma behind a field/],
  'JSON that is none': ['{"data":', /expected JSON: /],
  'JSON without a list': ['{"data":{}}', /expected a list, or an object with the list `data`/],
  'JSON of anything': ['[1,[2],null]', /entry 1: expected 64 hexadecimal digits/],
  'JSON of very many values': [`[${'1,'.repeat(3_000_001)}1]`, /expected at most 3000000 values/],
  'JSON of great depth': ['['.repeat(1_000_000), /expected JSON: /],
};
for (const [name, [text, message]] of Object.entries(refused))
  test(`refused: ${name}`, () =>
    assert.throws(
      () => parseHashes(Buffer.from(text)),
      (cause) => cause instanceof Failure && cause.error === 'BAD_HASHES' && message.test(cause.detail),
    ));

test('bytes that are no text are refused', () => {
  assert.throws(() => parseHashes(Uint8Array.of(0xff, 0x41)), /not valid UTF-8/);
});

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => !/\p{Cc}|\p{Cs}/u.test(text) && text.length < 256);
const entry = fc.record({ pdq: hash, quality: fc.nat(100), label }, { requiredKeys: ['pdq'] });

test('CSV and JSON that are read again have the same entries in the same order, text the same hashes', () => {
  const noted = ({ pdq, quality, label: of }: HashEntry) => `${pdq} ${quality ?? ''},${of ?? ''}`;
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const data = entries.map(({ pdq, label: id, quality }) => ({ id, indicator: pdq, type: 'HASH_PDQ', quality }));
      const isNoted = entries.some((each) => Object.keys(each).length > 1);
      const expected = entries.map((each) => (isNoted ? noted(each) : `${each.pdq} `));
      assert.deepEqual(entriesOf(textOfHashes(entries, 'csv', true)), expected);
      assert.deepEqual(entriesOf(JSON.stringify({ data })), expected);
      assert.deepEqual(
        entriesOf(textOfHashes(entries, 'text', true)),
        entries.map(({ pdq }) => `${pdq} `),
      );
    }),
  );
});
