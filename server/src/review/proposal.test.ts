import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileTraces, SideEdits } from '@sosia/engine';
import { multiplesOf } from '@sosia/engine/traces/jpeg-multiples';
import { Links, type LinkedPair } from './links.ts';
import { type Candidate, proposalFor } from './proposal.ts';

const untouched: SideEdits = {
  ...{ beyond: 0, plain: 0, outline: 0, differing: 0, seam: 0 },
  ...{ range: 200, clipped: 0, contrast: 1 },
};
const traces: FileTraces = { displaced: 4, multiples: saved(4), spectrum: new Array<number>(32).fill(30) };
const same = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const mirrored = [-1, 0, 1, 0, 1, 0, 0, 0, 1];

function candidate(id: string, given: Partial<Candidate> = {}): Candidate {
  const added = '2026-01-01T00:00:00.000Z';
  return { id, keywords: [], width: 300, height: 200, bytes: 5000, grade: 50, added, traces, ...given };
}

/** Coefficients that were saved with each of these steps, the last one first; pixels are whole numbers between two. */
function saved(...steps: number[]): FileTraces['multiples'] {
  const values = Float32Array.from({ length: 4000 }, (_, i) =>
    steps
      .toReversed()
      .reduce(
        (value, step) => step * Math.round((value + ((i % 16) - 7.5) / 16) / step),
        -30 * Math.log((i + 0.5) / 4000),
      ),
  );
  return multiplesOf([values], [steps[0]!]);
}

/** As if the first had found the second. */
function linked(
  one: string,
  other: string,
  edits: readonly [Partial<SideEdits>, Partial<SideEdits>],
  map = same,
): Links {
  const links = new Links();
  const [first, second] = edits.map((each) => ({ ...untouched, ...each })) as [SideEdits, SideEdits];
  const pair: LinkedPair = { map, edits: [first, second] };
  links.set(one, [{ to: other, score: 0.05, decision: 'Match', pair }]);
  return links;
}

/** Seen from either side, and whichever found the other. */
function proposes(
  reason: string,
  original: Partial<Candidate>,
  edited: Partial<Candidate>,
  edits: readonly [Partial<SideEdits>, Partial<SideEdits>],
  map = same,
): void {
  for (const [a, b] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const both = [candidate(a, original), candidate(b, edited)];
    const found = linked(a, b, edits, map);
    const finding = linked(b, a, [edits[1], edits[0]], map);
    for (const links of [found, finding]) assert.deepEqual(proposalFor(both, links), { keep: a, reason });
  }
}

test('a picture without a border is kept, though the bordered one has most pixels', () => {
  const thin = { beyond: 0.1, plain: 0.45, outline: 76 };
  for (const border of [{ beyond: 0.2, plain: 0.9, outline: 60 }, thin])
    proposes('it has no border or empty corners', {}, { width: 340, height: 240, bytes: 9000 }, [{}, border]);
});

test('a picture without a caption is kept, though the other has the larger file', () => {
  proposes('nothing covers a part of it', {}, { bytes: 9000 }, [
    { differing: 0.1, seam: 3 },
    { differing: 0.1, seam: 80 },
  ]);
});

test('the whole is kept, not a crop of it', () => {
  proposes('it shows more of the picture', {}, { bytes: 9000 }, [{ beyond: 0.3, plain: 0.7, outline: 5 }, {}]);
});

test('the mirrored one shows the blocks of an earlier saving', () => {
  proposes(
    'it was not turned or mirrored',
    {},
    { bytes: 9000, traces: { ...traces, displaced: 9, multiples: saved(2) } },
    [{}, {}],
    mirrored,
  );
});

test('a mirrored or turned one whose blocks are those of the other was saved again', () => {
  const once = { width: 304, height: 208, traces: { ...traces, multiples: saved(5) } };
  const again = { ...once, bytes: 9000, traces: { ...traces, multiples: saved(2, 5) } };
  const turned = { ...again, width: 208, height: 304 };
  proposes('it was saved as JPEG fewer times', once, again, [{}, {}], mirrored);
  proposes('it was saved as JPEG fewer times', once, turned, [{}, {}], [0, -1, 1, 1, 0, 0, 0, 0, 1]);
  // blocks of the one begin within blocks of the other
  proposes(
    'its file is the largest',
    { ...again, width: 303 },
    { ...once, width: 303, traces: again.traces },
    [{}, {}],
    mirrored,
  );
});

test('an enlarged copy lacks detail for its size', () => {
  const empty = Array.from({ length: 32 }, (_, band) => 30 - (band > 12 ? 2 * (band - 12) : 0));
  proposes('it was not enlarged', {}, { width: 600, height: 400, traces: { ...traces, spectrum: empty } }, [{}, {}]);
});

test('a reduced copy has fewer pixels', () => {
  proposes('it has most pixels', { width: 600, height: 400 }, { bytes: 9000 }, [{}, {}]);
});

test('of the same pixels that one is kept that was saved fewer times, and then that with the finest steps', () => {
  const original = { traces: { ...traces, multiples: saved(5) } };
  const again = { bytes: 9000, traces: { ...traces, multiples: saved(2, 5) } };
  proposes('it was saved as JPEG fewer times', original, again, [{}, {}]);
  proposes('it was saved as JPEG fewer times', original, again, [{}, { range: 220 }]);
  proposes('its compression loses least', { width: 301 }, { bytes: 9000, traces: { ...traces, multiples: saved(7) } }, [
    {},
    {},
  ]);
});

test('a flat copy has the narrower range of brightness', () => {
  proposes('it has the wider range of brightness', {}, { bytes: 9000 }, [{}, { range: 150 }]);
});

test('pictures that were added as DNA are compared by what is known', () => {
  const none = { width: null, height: null, bytes: null, traces: null };
  const both = [
    candidate('b', { ...none, added: '2026-01-02T00:00:00.000Z' }),
    candidate('a', { ...none, added: null }),
  ];
  assert.deepEqual(proposalFor(both, new Links()), { keep: 'b', reason: 'it was added first' });
  assert.deepEqual(proposalFor([candidate('b'), candidate('a')], new Links()), {
    keep: 'a',
    reason: 'all are equal, and its id is the first',
  });
});

test('a group is proposed the picture that no other one beats', () => {
  const links = linked('whole', 'crop', [{ beyond: 0.3 }, {}]);
  const all = [candidate('crop', { bytes: 9000 }), candidate('small', { width: 150, height: 100 }), candidate('whole')];
  const reason = 'it shows more of the picture; where that is equal, it has most pixels';
  assert.deepEqual(proposalFor(all, links), { keep: 'whole', reason });
});
