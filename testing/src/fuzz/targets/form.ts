import assert from 'node:assert/strict';
import { Failure } from '@sosia/server';
import { FormReader } from '@sosia/server/http/form';
import { TextAllowance } from '@sosia/server/http/text-allowance';
import { RawParameters } from '@sosia/server/parameters/raw-parameters';
import { mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const MOST_FIELDS = 20;

/** Query strings and urlencoded bodies, beside a reader that is slow and plain. */
export const form: Target = {
  name: 'form',
  covers: /server\/dist\/(http\/form|parameters\/(text|raw-parameters))\.js$/,
  limit: 500,

  async open() {
    const seeds = [
      'application_key=abc&image_id=a.jpg&keywords=a&keywords=b',
      'a=%E4%BD%A0&b=+x%2By&c',
      '&&k&=v&k=&k==b=',
      'k=%F0%9F%99%82%00&%6b=1',
      'x=1&'.repeat(MOST_FIELDS + 1),
    ].map((text) => Buffer.from(text));
    const words = [
      '&',
      '=',
      '%',
      '+',
      '%26',
      '%3D',
      '%C3%A9',
      '%ff',
      '%F0%9F%99%82',
      '%ED%A0%80',
      '%2',
      'é',
      '\u{1f642}',
    ];
    return {
      seeds,
      mutate: (input, random, others) => mutated(input, random, others, { longest: 400, words }),
      run(input) {
        const expected = plainly(input);
        for (const step of [Math.max(1, input.length), 1 + (input.length % 7)]) assertRead(input, step, expected);
        return typeof expected === 'string' ? expected : `${expected.size} names`;
      },
    };
  },
};

/** @param step  how many bytes arrive at a time */
function assertRead(input: Uint8Array, step: number, expected: Map<string, string[]> | string): void {
  const raw = new RawParameters();
  const texts = new TextAllowance(1e6);
  const reader = new FormReader({ source: 'query', raw, texts, maxFields: MOST_FIELDS });
  try {
    for (let at = step; at < input.length; at += step) reader.advance(input.subarray(0, at), false);
    reader.advance(input, true);
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    assert.equal(cause.error, expected);
    return;
  }
  if (typeof expected === 'string') assert.fail(`expected ${expected}, got parameters`);
  for (const [name, list] of expected) assert.deepEqual(raw.texts(name), list);
}

/** Texts by name, empty ones left out; or the name of the failure. */
function plainly(input: Uint8Array): Map<string, string[]> | string {
  const found = new Map<string, string[]>();
  const text = Buffer.from(input).toString('latin1');
  const fields = text.split('&');
  if (fields.at(-1) === '') fields.pop(); // nothing follows the last ampersand
  for (const [i, field] of fields.entries()) {
    if (i >= MOST_FIELDS) return 'MALFORMED_REQUEST';
    const [, name, , value = ''] = /^([^=]*)(=([^]*))?$/.exec(field) ?? [];
    const parts = [name ?? '', value].map(decoded);
    if (parts.includes(null)) return 'BAD_TEXT';
    if (parts[1] !== '') found.set(parts[0]!, [...(found.get(parts[0]!) ?? []), parts[1]!]);
  }
  return found;
}

function decoded(coded: string): string | null {
  if (/%(?![\da-f]{2})/i.test(coded)) return null;
  const bytes = Buffer.from(
    coded.replaceAll('+', ' ').replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
