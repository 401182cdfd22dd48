import assert from 'node:assert/strict';
import { textOf, type Clone } from './clone.ts';
import type { Trial } from './first-change.ts';

/** The steps of a new operation, by their titles. */
export const newOperation: Readonly<Record<string, Trial>> = {
  Schema(step, clone) {
    const file = step.named('contract/src/operations/status.ts');
    const [, model] = clone.read(file).split(`export const ${step.named('getQueryStatus')} `);
    assert.match(model!, /onFailure/);
    clone.write(file, clone.read(file) + textOf('get-image-count.schema'));
    clone.edit(
      step.named('contract/src/operations.ts'),
      ['{ getModifyStatus,', '{ getImageCount, getModifyStatus,'],
      ['  getPalette,\n', '  getImageCount,\n  getPalette,\n'],
    );
  },

  Work(step, clone) {
    const table = step.named('server/src/operations/operations.ts');
    const reported = clone.compile();
    assert.ok(reported.includes(table) && reported.includes('getImageCount'), reported);
    assert.match(clone.read(step.named('server/src/applications/references.ts')), / count\(\): Promise<number>;/);
    const work = textOf('get-image-count.work');
    const wrong = work.replace('image_count', 'count');
    clone.edit(table, ['  getPalette:', `${wrong}  getPalette:`]);
    assert.match(clone.compile(), /operations\.ts.*'image_count'/s);
    clone.edit(table, [wrong, work]);
    assert.ok(!clone.compile().includes('server/src'));
  },

  Test(step, clone) {
    const model = clone.read(`server/src/operations/${step.named('get-image-by-id.integration.test.ts')}`);
    const start = model.slice(0, model.indexOf("test('"));
    clone.write(
      step.named('server/src/operations/get-image-count.integration.test.ts'),
      start + textOf('get-image-count.tests'),
    );
  },

  SDK(step, clone) {
    assert.match(clone.done(step.named('npm run docs')), /^client\/src\/operations\.generated\.ts written$/m);
    const calls = step.named('client/src/operations.test.ts');
    assert.match(failed(clone, 'npm test -- client/operations'), /GetImageCount/);
    clone.edit(step.named('client/src/sosia.ts'), ['  async #add(', `${textOf('image-count.method')}  async #add(`]);
    clone.edit(calls, ['    sosia.count(),\n', '    sosia.count(),\n    sosia.imageCount(),\n']);
    clone.done('npm test -- client/operations');
  },

  'Recorded answers'(step, clone) {
    assert.match(failed(clone, 'npm test -- server/golden-answers'), /GetImageCount/);
    const last = '  return answers;\n';
    clone.edit(step.named('server/src/golden-answers.integration.test.ts'), [
      last,
      `  await query('GetImageCount');\n${last}`,
    ]);
    clone.done(step.named('UPDATE_GOLDEN=1 npm test -- server/golden-answers'));
    const changed = clone.done('git diff --numstat fixtures/golden').trim().split('\n');
    // the new answer, and the comma of the one before
    assert.ok(
      changed.every((file) => file.startsWith('2\t1\t')),
      changed.join('\n'),
    );
  },

  Documentation(step, clone) {
    assert.match(clone.read(step.named('docs/api.md')), /^### .*GetImageCount/m);
    assert.match(clone.done(step.named('npm run docs')), /all files are what the tables/);
    const changes = step.named('CHANGELOG.md');
    clone.write(changes, `${clone.read(changes)}- The operation GetImageCount.\n`);
  },

  Check(step, clone) {
    for (const command of ['npm run lint', 'npm run test:unit']) clone.done(step.named(command));
    const openApi = /GetImageCount of enginequery on media-matching, requested as documented/;
    assert.match(clone.done(step.named('npm test -- contract server/operations server/docs client')), openApi);
  },
};

/** The output of a command that must fail. */
function failed(clone: Clone, command: string): string {
  const { works, output } = clone.run(command);
  assert.ok(!works, `${command} works`);
  return output;
}
