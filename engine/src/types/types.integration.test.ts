import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionContract } from '../../test/partition-suite.ts';
import { photographs } from '../../test/pictures.ts';
import { typeDefinitions } from './types.ts';

for (const [type, definition] of Object.entries(typeDefinitions)) {
  const { symmetric, references } = definition.traits;

  test(`${type}: a stored picture may serve as a query where the type is symmetric`, () => {
    const stored = definition.describe(photographs[0], 'reference');
    definition.checkDna(stored, 'reference');
    if (symmetric) definition.checkDna(stored, 'query');
    else assert.throws(() => definition.checkDna(stored, 'query'));
    const query = definition.describe(photographs[0], 'query');
    definition.checkDna(query, 'query');
    if (Buffer.compare(stored, query) !== 0) assert.throws(() => definition.checkDna(query, 'reference'));
  });

  if (references) partitionContract(type, definition, photographs);
}
