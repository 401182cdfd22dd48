import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photographs } from '../../test/pictures.ts';
import { partitionContract } from '../../test/partition-suite.ts';
import { recipes } from './recipes.ts';
import { traits } from './traits.ts';

for (const [type, recipe] of Object.entries(recipes)) {
  test(`${type}: the recipe stands under its own name`, () => assert.equal(recipe.type, type));

  test(`${type}: a stored picture may serve as a query where the type says so`, () => {
    const stored = recipe.describe(photographs[0], 'reference');
    recipe.checkDna(stored, 'reference');
    if (traits[recipe.type].symmetric) recipe.checkDna(stored, 'query');
    else assert.throws(() => recipe.checkDna(stored, 'query'));
    const asked = recipe.describe(photographs[0], 'query');
    recipe.checkDna(asked, 'query');
    if (Buffer.compare(stored, asked) !== 0) assert.throws(() => recipe.checkDna(asked, 'reference'));
  });

  if (traits[recipe.type].references) partitionContract(recipe, photographs);
}
