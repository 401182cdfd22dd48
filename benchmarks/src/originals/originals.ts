import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFor, shuffled } from '@sosia/testing/pictures/random';
import { startService } from '@sosia/testing/service/service';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, missingCorpora } from '../harness/benchmark.ts';
import { type Half, halfOf, halves } from '../harness/halves.ts';
import { editedFile, edits } from './edits.ts';

const folders = ['posters', 'covers/distractor', 'photos', 'photos_small', 'clothing', 'styles'];

interface Group {
  readonly half: Half;
  readonly kind: string;
  /** Of the two pictures. */
  readonly original: string;
  readonly edited: string;
}

export default benchmark({
  title: 'Which picture a review keeps',
  kind: 'accuracy',
  about: 'Originals and edited copies.',
  missing: missingCorpora(...folders),
  targets: { 'original proposed': '>= 0.95' },
  options: { groups: 30, only: '' },
  size: ({ groups }) =>
    `${groups * Object.keys(edits).length} groups of ${Object.keys(edits).length} kinds of edits a half`,
  measures: ['engine/src/traces', 'server/src/review', 'server/src/decode'],
  async run({ groups: count, only }) {
    const kinds = Object.keys(edits).filter((kind) => kind.includes(only));
    const service = await startService();
    try {
      const client = service.client(service.createApplication('media-matching'));
      const groups: Group[] = [];
      for (const half of halves) {
        const random = randomFor('originals', half);
        const originals = shuffled(
          random,
          folders.flatMap((folder) => halfOf(half, folder)),
        );
        for (const kind of kinds)
          for (let i = 0; i < count; i++) {
            const file = readFileSync(originals[groups.filter((each) => each.half === half).length]!);
            const [original, edited] = shuffled(random, ['a', 'b']).map((letter) => `${groups.length} ${letter}`) as [
              string,
              string,
            ];
            const files = [
              [original, file],
              [edited, await editedFile(kind, file, random)],
            ] as const;
            for (const [id, content] of shuffled(random, files)) await client.add(id, content);
            groups.push({ half, kind, original, edited });
          }
      }
      await client.review.start();
      while ((await client.review.progress()).state === 'running') await pause(200);
      const proposed = new Map<string, { keep: string; reason: string }>();
      for (let start = 0; ; start += 100) {
        const { groups: page } = await client.review.groups({ start, count: 100 });
        for (const { images, keep, reason } of page) for (const { id } of images) proposed.set(id, { keep, reason });
        if (page.length < 100) break;
      }
      const judged = groups.map((group) => ({
        ...group,
        found: proposed.has(group.original) && proposed.has(group.edited),
        ...proposed.get(group.original),
      }));
      const figures: Record<string, number> = {};
      const unseen = judged.filter(({ half }) => half === 'unseen');
      const found = unseen.filter((group) => group.found);
      figures['grouped'] = share(unseen, (group) => group.found);
      figures['original proposed'] = share(found, ({ keep, original }) => keep === original);
      const rows = [...groupsOf(judged, ({ half, kind }) => `${half}: ${kind}`)].map(([kind, all]) => {
        const found = all.filter((group) => group.found);
        return {
          kind,
          grouped: found.length,
          'original proposed': share(found, ({ keep, original }) => keep === original),
          reasons: [
            ...new Set(found.map(({ keep, original, reason }) => `${keep === original ? '' : 'WRONG '}${reason}`)),
          ].join('; '),
        };
      });
      return { figures, tables: { kinds: rows } };
    } finally {
      await service.close();
    }
  },
});
