import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { goldenFolder } from '@sosia/fixtures';
import { type Steps, typeDefinitions } from '@sosia/engine';
import { Matcher } from './matcher.ts';

const [reference, query] = ['reference', 'query'].map(
  (what) => new Uint8Array(readFileSync(join(goldenFolder, `dna-v1/kodim19.${what}.dna`))),
) as [Uint8Array, Uint8Array];

function done<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('a picture is described, voted for and verified as the comparison of its type says, which is made once', (t) => {
  const rule = typeDefinitions['media-matching'].terms!;
  const made = mock.method(rule, 'createComparison');
  t.after(() => mock.restoreAll());
  const matcher = new Matcher();
  const document = done(matcher.document(1, 'media-matching', reference));
  assert.equal(document.digest, rule.digestOf(reference));
  assert.ok(document.terms.length > 0);
  const terms = done(matcher.query(1, 'media-matching', query));
  assert.equal(terms.digest, rule.digestOf(query));
  assert.ok(terms.variants.length > 0);
  const { beginning, rest, norm } = document;
  const beginnings = { beginnings: beginning, lengths: Uint32Array.of(beginning.length), norms: Uint16Array.of(norm) };
  assert.ok(done(matcher.votes(1, 'media-matching', query, beginnings))[0]! > 0);
  const record = Buffer.concat([beginning, rest]);
  const { verdicts } = done(
    matcher.verify(1, 'media-matching', query, [{ image: 5, digest: document.digest, record }], { colorWeight: 0 }),
  );
  assert.deepEqual(
    verdicts.map(({ image }) => image),
    [5],
  );
  assert.equal(made.mock.callCount(), 1);
  assert.throws(() => done(matcher.document(1, 'filter', reference)), /^Error: filter has no terms$/);
});
