import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type * as contract from '@sosia/contract';
import type { Answers, Box, BoxMatch, Explanation, Operations, QuadMatch, ResultInfo, Similarity } from './index.ts';

/** The same type, read-only. */
type Frozen<T> = T extends string | number ? T : { readonly [K in keyof T]: Frozen<T[K]> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Modify = contract.Answers['enginemodify'];
type Query = contract.Answers['enginequery'];

/** Compiles only if the types of the SDK equal those of the contract. */
const same: [
  Same<Frozen<Answers['modify']>, Frozen<Modify>>,
  Same<Frozen<Answers['query']>, Frozen<Query>>,
  Same<keyof Operations['modify'], keyof Modify>,
  Same<keyof Operations['query'], keyof Query>,
  Same<Frozen<ResultInfo>, Frozen<contract.ResultInfo>>,
  Same<Frozen<BoxMatch>, Frozen<contract.BoxMatch>>,
  Same<Frozen<QuadMatch>, Frozen<contract.QuadMatch>>,
  Same<Frozen<Similarity>, Frozen<contract.Similarity>>,
  Same<Frozen<Box>, Frozen<contract.Box>>,
  Same<Frozen<Explanation>, Frozen<contract.Explanation>>,
] = [true, true, true, true, true, true, true, true, true, true];
/** `Same` detects an additional field. */
const other: Same<Frozen<Box>, Frozen<Box & { more?: number }>> = false;

test('the types of the SDK are those of the contract', () => {
  assert.ok(same.every(Boolean) && !other);
});

test('no public type is any or unknown', () => {
  const declarations = new Map<string, string>();
  const visit = (name: string): void => {
    if (declarations.has(name)) return;
    const text = readFileSync(new URL(name, import.meta.url), 'utf8');
    declarations.set(name, text);
    for (const [, target] of text.matchAll(/'(\.\/[\w.-]+)\.(?:ts|js)'/g)) visit(`${target}.d.ts`);
  };
  visit('./index.d.ts');
  assert.ok(declarations.size > 5, `only ${declarations.size} declarations found`);
  for (const [name, text] of declarations) {
    assert.doesNotMatch(text.replace(/\/\*[^]*?\*\//g, ''), /\b(?:any|unknown)\b/, name);
  }
});
