import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type * as contract from '@sosia/contract';
import type {
  Answers,
  Box,
  BoxMatch,
  Explanation,
  FileContent,
  Operations,
  QuadMatch,
  ResultInfo,
  Similarity,
} from './index.ts';

/** The same type, read-only. */
type Frozen<T> = T extends string | number | boolean | null ? T : { readonly [K in keyof T]: Frozen<T[K]> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Modify = contract.Answers['enginemodify'];
type Query = contract.Answers['enginequery'];

/** What the SDK takes for a parameter of each form. */
interface Sent {
  readonly file: FileContent;
  readonly bytes: FileContent;
  readonly integer: number;
  readonly decimal: number;
  readonly text: string;
  readonly texts: readonly string[];
  readonly 'image id': string;
  readonly 'image ids': string;
  readonly keywords: readonly string[];
  readonly colors: readonly string[];
  readonly metadata: string;
  readonly conditions: readonly string[];
}

type Schema =
  | (typeof contract.operations)[keyof typeof contract.operations]
  | (typeof contract.administration)[keyof typeof contract.administration]
  | (typeof contract.reviewOperations)[keyof typeof contract.reviewOperations];
/** The parameters of the operations of a family, by the contract. */
type Parameters<F extends contract.Family> = {
  [Each in Schema as F extends Each['families'][number] ? Each['name'] : never]: {
    [Name in keyof Each['parameters']['properties']]: Each['parameters']['properties'][Name] extends {
      readonly form: infer Form extends contract.Form;
    }
      ? Sent[Form]
      : never;
  };
};
/** The same type with every parameter of every operation required: `npm run docs` compares which ones are. */
type Whole<T> = { [Name in keyof T]: { [P in keyof T[Name]]-?: Exclude<T[Name][P], undefined> } };

/** Compiles only if the types of the SDK equal those of the contract. */
const same: [
  Same<Frozen<Answers['review']>, Frozen<contract.Answers['review']>>,
  Same<Frozen<Whole<Operations['review']>>, Frozen<Whole<Parameters<'review'>>>>,
  Same<Frozen<Answers['administration']>, Frozen<contract.Answers['administration']>>,
  Same<Frozen<Whole<Operations['administration']>>, Frozen<Whole<Parameters<'administration'>>>>,
  Same<Frozen<Answers['modify']>, Frozen<Modify>>,
  Same<Frozen<Answers['query']>, Frozen<Query>>,
  Same<Frozen<Whole<Operations['modify']>>, Frozen<Whole<Parameters<'enginemodify'>>>>,
  Same<Frozen<Whole<Operations['query']>>, Frozen<Whole<Parameters<'enginequery'>>>>,
  Same<Frozen<ResultInfo>, Frozen<contract.ResultInfo>>,
  Same<Frozen<BoxMatch>, Frozen<contract.BoxMatch>>,
  Same<Frozen<QuadMatch>, Frozen<contract.QuadMatch>>,
  Same<Frozen<Similarity>, Frozen<contract.Similarity>>,
  Same<Frozen<Box>, Frozen<contract.Box>>,
  Same<Frozen<Explanation>, Frozen<contract.Explanation>>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true];
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
