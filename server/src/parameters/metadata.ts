import { metadataLimits, type Condition, type Metadata, type Scalar } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { nameFault, shown } from './text.ts';

export const metadata: Reader<'metadata'> = {
  read(raw, name) {
    const text = raw.text(name);
    return text === undefined ? undefined : checkMetadata(text, name);
  },
  expected: (name, { description: rule }) => `${name}, ${rule}`,
};

function checkMetadata(text: string, name: string): Metadata {
  const refuse = (fault: string) => fail('BAD_PARAMETER', `${name}: ${fault}`);
  const bytes = Buffer.byteLength(text);
  if (bytes > metadataLimits.bytes) throw refuse(`expected at most ${metadataLimits.bytes} bytes, got ${bytes}`);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`expected a JSON object, got ${shown(text)}`);

  let values = 0;
  const check = (each: unknown, depth: number): void => {
    if (++values > metadataLimits.values) throw refuse(`expected at most ${metadataLimits.values} values`);
    if (depth > metadataLimits.depth) throw refuse(`expected at most ${metadataLimits.depth} levels`);
    if (typeof each === 'string' && /\p{Cs}/u.test(each)) throw refuse(`got a lone surrogate in ${shown(each)}`);
    if (typeof each === 'number' && !Number.isFinite(each)) throw refuse('got a number beyond the largest double');
    if (typeof each !== 'object' || each === null) return;
    for (const [key, inner] of Object.entries(each)) {
      const fault = key === '' ? 'an empty name' : nameFault(key, /[=<>]/);
      if (fault) throw refuse(`got ${fault} in ${shown(key)}`);
      check(inner, depth + 1);
    }
  };
  check(value, 0);
  return value as Metadata;
}

export const conditions: Reader<'conditions'> = {
  read(raw, name, { description: rule }) {
    const texts = raw.texts(name);
    const { conditions: most } = metadataLimits;
    if (texts.length > most) throw fail('BAD_PARAMETER', `${name}: expected at most ${most}, got ${texts.length}`);
    const long = texts.find((text) => Buffer.byteLength(text) > metadataLimits.bytes);
    if (long)
      throw fail('BAD_PARAMETER', `${name}: expected at most ${metadataLimits.bytes} bytes, got ${shown(long)}`);
    return texts.length > 0 ? texts.map((text) => condition(text, name, rule)) : undefined;
  },
  expected: (name, { description: rule }) => `${name}, ${rule}`,
};

/** Groups: the path, the comparison, the value. */
const conditionForm = /^([^=<>]+)(?:(<=|>=|=|<|>)(.*))?$/su;

function condition(text: string, name: string, rule: string): Condition {
  const [, given = '', comparison, operand = ''] = conditionForm.exec(text) ?? [];
  const path = given.trim();
  if (path === '' || nameFault(path, /(?!)/)) throw fail('BAD_PARAMETER', `${name}: ${rule}, got ${shown(text)}`);
  if (comparison === undefined) return { path, comparison: 'present', value: null };
  const value = scalarOf(operand.trim());
  if (comparison !== '=' && typeof value !== 'number' && typeof value !== 'string')
    throw fail('BAD_PARAMETER', `${name}: ${comparison} compares numbers and texts, got ${shown(text)}`);
  return { path, comparison: comparison as Condition['comparison'], value };
}

/** A number, boolean, null or string if the text is its JSON, otherwise the text as a string. */
function scalarOf(text: string): Scalar {
  const value = parsed(text);
  return value === undefined || (typeof value === 'object' && value !== null) ? text : (value as Scalar);
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
