import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SideEdits } from '@sosia/engine';
import type { References } from '../applications/references.ts';
import { groupsFrom } from './groups.ts';
import { Links, Pairs } from './links.ts';

const untouched: SideEdits = {
  ...{ beyond: 0, plain: 0, outline: 0, differing: 0, seam: 0 },
  ...{ range: 200, clipped: 0, contrast: 1 },
};

/** Pictures that are judged together where the one matched the other, and both differ by these edits. */
async function duplicates(one: Partial<SideEdits>, other: Partial<SideEdits>): Promise<string[][]> {
  const links = new Links();
  const edits = [
    { ...untouched, ...one },
    { ...untouched, ...other },
  ] as const;
  const pair = { map: [1, 0, 0, 0, 1, 0, 0, 0, 1], edits };
  links.set('a', [{ to: 'b', score: 0.3, decision: 'Match', pair }]);
  const references = { present: async (ids: ReadonlySet<string>) => ids } as unknown as References;
  const { duplicates: groups } = await groupsFrom(links, [], new Pairs(), references);
  return groups.map(({ images }) => images.map(({ id }) => id));
}

test('a copy, a crop and a toned copy are groups with their original', async () => {
  for (const [one, other] of [
    [{}, {}],
    [{ beyond: 0.8 }, {}],
    [
      { differing: 0.25, contrast: 1.02 },
      { differing: 0.25, contrast: 0.98 },
    ],
    [
      { differing: 0.05, contrast: 1.6 },
      { differing: 0.05, contrast: 1 / 1.6 },
    ],
  ] as const)
    assert.deepEqual(await duplicates(one, other), [['a', 'b']]);
});

test('pictures that share a caption and nothing else are no group', async () => {
  for (const [one, other] of [
    [{ beyond: 0.8 }, { beyond: 0.9 }],
    [{ differing: 0.6 }, { differing: 0.6 }],
    [
      { beyond: 0.7, differing: 0.14, contrast: 1.5 },
      { differing: 0.14, contrast: 1 / 1.5 },
    ],
  ] as const)
    assert.deepEqual(await duplicates(one, other), []);
});
