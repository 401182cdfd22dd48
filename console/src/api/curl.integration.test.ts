import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { curlOf } from './curl.ts';
import type { Request } from './call.ts';

const address = 'http://127.0.0.1:8080';

/** The arguments that a shell passes to curl. */
function wordsOf(line: string): string[] {
  const script = `KEY=secret; curl() { printf '%s\\0' "$@"; }; ${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('parameters go into the address, each value of a list separately, missing ones not at all', () => {
  const values = { image_id: 'a/b.jpg', keywords: ['x y', 'z'], nb_results: 5, color_weight: undefined };
  const line = curlOf({ family: 'enginequery', operation: 'SearchImageById', values }, address);
  assert.deepEqual(wordsOf(line), [
    '-G',
    `${address}/api/v2.0/enginequery/json/SearchImageById`,
    ...['--data-urlencode', 'application_key=secret'],
    ...['--data-urlencode', 'image_id=a/b.jpg'],
    ...['--data-urlencode', 'keywords=x y'],
    ...['--data-urlencode', 'keywords=z'],
    ...['--data-urlencode', 'nb_results=5'],
  ]);
});

test('a picture makes the request a form, with the name of its file', () => {
  const values = { image_content: new File([], "it's me.jpg"), image_id: 'me' };
  const line = curlOf({ family: 'enginemodify', operation: 'AddImage', values }, address);
  assert.deepEqual(wordsOf(line).slice(1), [
    ...['-F', 'application_key=secret'],
    ...['-F', "image_content=@it's me.jpg"],
    ...['-F', 'image_id=me'],
  ]);
});

test('no text escapes its quotes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((each) => !each.includes('\0'));
  const hostile = fc.constantFrom(`'; rm -rf /; '`, '$KEY', '`id`', '$(id)', '"', '\\', "'", '!!', '\n', '-x', '~');
  const property = fc.property(fc.oneof(text, hostile), (image_id) => {
    const request: Request = { family: 'enginequery', operation: 'SearchImageById', values: { image_id } };
    assert.equal(wordsOf(curlOf(request, address)).at(-1), `image_id=${image_id}`);
  });
  fc.assert(property, { numRuns: 60 });
});
