import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultInfos } from '@sosia/contract';
import type * as contract from '@sosia/contract';
import { applicationTypes } from '@sosia/engine';
import type * as engine from '@sosia/engine';

/** The same type, read-only. */
type Frozen<T> = T extends string | number ? T : { readonly [K in keyof T]: Frozen<T[K]> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if the engine and the contract have the same structures. */
const same: [
  Same<Frozen<engine.BoxMatch>, Frozen<contract.BoxMatch>>,
  Same<Frozen<engine.QuadMatch>, Frozen<contract.QuadMatch>>,
  Same<Frozen<engine.Similarity>, Frozen<contract.Similarity>>,
  Same<Frozen<engine.ResultInfo>, Frozen<contract.ResultInfo>>,
] = [true, true, true, true];

test('the structures of result_info are the same in the engine and in the contract', () => {
  assert.ok(same.every(Boolean));
});

test('the contract has a row for every application type of the engine, and for no other', () => {
  assert.deepEqual(Object.keys(resultInfos).sort(), [...applicationTypes].sort());
});
