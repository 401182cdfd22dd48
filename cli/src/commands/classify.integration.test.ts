import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parsed, photograph, startBeside } from '../testing/sosia.test.kit.ts';
import type { Beside } from '../testing/sosia.test.kit.ts';

let beside: Beside;
let key: string;
before(async () => {
  beside = await startBeside();
  key = beside.application('filter');
  const used = await beside.sosia(key, 'profile', 'use', 'filter', 'photograph', 'document', '--data', beside.data);
  assert.equal(used.code, 0, used.err);
});
after(() => beside.close());

test('each picture has a score for each profile; a refused one is reported and exits with 1', async () => {
  const { code, out } = await beside.sosia(key, 'classify', photograph(4));
  assert.equal(code, 0);
  assert.match(
    out,
    /^profile +score +file\nphotograph +\d\.\d\d +█+ +\S+kodim04\.jpg\ndocument +-\d\.\d\d +\S+kodim04\.jpg\n$/,
  );
  const more = await beside.sosia(key, 'classify', 'missing.jpg', photograph(4), '--json');
  assert.equal(more.code, 1);
  assert.match(more.err, /^missing\.jpg: there is no file or folder missing\.jpg\nsosia: 1 of 2 failed\n$/);
  assert.deepEqual(Object.keys(parsed(more.out)[0].scores), ['photograph', 'document']);
});
