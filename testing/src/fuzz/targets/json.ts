import assert from 'node:assert/strict';
import { Failure } from '@sosia/server';
import { JsonReader } from '@sosia/server/http/json-body';
import { limits } from '@sosia/server/http/limits';
import { TextAllowance } from '@sosia/server/http/text-allowance';
import { RawParameters } from '@sosia/server/parameters/raw-parameters';
import { mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const REFUSED = 'refused';

/** JSON bodies, beside JSON.parse. Without files, whose texts are no parameters. */
export const json: Target = {
  name: 'json',
  covers: /server\/dist\/http\/json-(body|tokens)\.js$/,
  limit: 500,

  async open() {
    const seeds = [
      '{"application_key":"abc","image_id":"a.jpg","keywords":["a","b"],"nb_results":1}',
      '{"a":true,"b":false,"c":null,"d":[],"e":-1.5e3}',
      '{ "a" : "\\u0041\\n\\"\\\\\\/" , "b" : [ 1 , "é" , true ] }',
      '{"a":{"b":1}}',
      '{}',
    ].map((text) => Buffer.from(text));
    const words = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u00e9',
      '\\ud83d',
      '1e9',
      '-0',
      'null',
      'true',
      ' ',
      'é',
      '\n',
    ];
    return {
      seeds,
      mutate: (input, random, others) => mutated(input, random, others, { longest: 300, words }),
      run(input) {
        const expected = plainly(input);
        for (const step of [Math.max(1, input.length), 1 + (input.length % 7)]) {
          assert.deepEqual(read(Buffer.from(input), step), expected);
        }
        return expected === REFUSED ? REFUSED : `${Object.keys(expected).length} names`;
      },
    };
  },
};

type Texts = Record<string, string[]>;

/** @param step  how many bytes arrive at a time */
function read(input: Buffer, step: number): Texts | typeof REFUSED {
  const raw = new RawParameters();
  const reader = new JsonReader(raw, new TextAllowance(1e6), limits, 0);
  try {
    for (let at = step; at < input.length; at += step) reader.advance(input.subarray(0, at), false);
    reader.advance(input, true);
  } catch (cause) {
    if (cause instanceof Failure) return REFUSED;
    throw cause;
  }
  return Object.fromEntries(raw.names().map((name) => [name, raw.texts(name)]));
}

/** A name that comes twice has all values. */
function plainly(input: Uint8Array): Texts | typeof REFUSED {
  const found: Texts = Object.create(null) as Texts;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return REFUSED;
    // each name gets a number of its own, so that JSON.parse keeps one that comes twice
    let names = 0;
    let depth = 0;
    const numbered = text.replace(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{]|[\]}]/g, (token, colon?: string) => {
      if ('[{'.includes(token)) depth++;
      if (']}'.includes(token)) depth--;
      return colon === undefined || depth !== 1 ? token : `"${names++} ${token.slice(1)}`;
    });
    for (const [name, value] of Object.entries(JSON.parse(numbered) as object)) {
      if (value === null) continue;
      for (const each of (Array.isArray(value) ? value : [value]) as unknown[]) {
        if (!['string', 'number', 'boolean'].includes(typeof each)) return REFUSED;
        const given = typeof each === 'boolean' ? (each ? '1' : '0') : String(each);
        if (given !== '') (found[name.replace(/^\d+ /, '')] ??= []).push(given);
      }
    }
  } catch {
    return REFUSED;
  }
  return { ...found };
}
