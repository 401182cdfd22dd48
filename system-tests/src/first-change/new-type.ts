import assert from 'node:assert/strict';
import { textOf } from './clone.ts';
import type { Trial } from './first-change.ts';

/** The steps of a new application type, by their titles. */
export const newType: Readonly<Record<string, Trial>> = {
  Definition(step, clone) {
    const model = clone.read(`engine/src/types/${step.named('media-matching.ts')}`);
    const definition = model
      .slice(0, model.indexOf('/** A partition whose'))
      .replace(/import type \{ (?:Decide|ReferenceRecords) \}.*\n/g, '')
      .replace('mediaMatching', 'posterMatching')
      .replace('Media Matching', 'Poster Matching')
      .replace('mediaPartition(boxMatch, records)', 'new LocalPartition(DNA_KINDS, boxMatch, MATCH_OPTIONS, records)');
    clone.write(step.named('engine/src/types/poster-matching.ts'), `${definition.trimEnd()}\n`);
    clone.edit(
      step.named('engine/src/types/types.ts'),
      ['import type { Type', `import { posterMatching } from './poster-matching.ts';\nimport type { Type`],
      ["  'brand-monitoring':", "  'poster-matching': posterMatching,\n  'brand-monitoring':"],
    );
  },

  Answers(step, clone) {
    assert.match(clone.compile(), /poster-matching/);
    clone.edit(step.named('contract/src/result-info/result-info.ts'), [
      "  'brand-monitoring':",
      "  'poster-matching': boxMatch,\n  'brand-monitoring':",
    ]);
    assert.match(clone.done(step.named('npm run docs')), /^client\/src\/operations\.generated\.ts written$/m);
    clone.edit(step.named('console/src/views/administration/types.ts'), [
      "  { type: 'filter',",
      "  { type: 'poster-matching', title: 'Poster Matching', about: 'Finds posters.' },\n  { type: 'filter',",
    ]);
  },

  'Tests of the type'(step, clone) {
    assert.match(clone.read(`engine/src/types/${step.named('media-matching.integration.test.ts')}`), /^test\(/m);
    assert.match(clone.done(step.named('npm test -- engine/types/types')), /poster-matching/);
  },

  'Recorded DNA'(step, clone) {
    assert.match(clone.read(step.named('engine/src/types/golden.test.ts')), /const families: readonly Family\[\] = \[/);
    clone.read(step.named('fixtures/golden/README.md'));
    clone.done(step.named('UPDATE_GOLDEN=1 npm test -- engine/types/golden'));
    assert.equal(clone.done('git status --porcelain fixtures/golden | grep -v answers || true'), '');
  },

  'Recorded answers'(step, clone) {
    clone.done('git add --all');
    clone.done(step.named('UPDATE_GOLDEN=1 npm test -- server/golden-answers'));
    assert.match(clone.done('git status --porcelain fixtures'), /^\?\? .*poster-matching\.json$/m);
    const changed = clone.done("git diff -U0 fixtures | grep '^+ '").trim().split('\n');
    assert.ok(
      changed.every((line) => line.includes('Poster Matching')),
      changed.join('\n'),
    );
  },

  Documentation(step, clone) {
    for (const page of ['docs/application-types.md', 'docs/decisions.md'] as const)
      clone.write(step.named(page), `${clone.read(page)}\n## Poster Matching\n\nFinds posters.\n`);
  },

  Quality(step, clone) {
    clone.write(step.named('benchmarks/src/posters/posters.ts'), textOf('posters.benchmark'));
    assert.match(clone.done(step.named('npm run benchmark -- posters')), /results\/posters\.json/);
  },
};
