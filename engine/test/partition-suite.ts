import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DnaError } from '../src/errors.ts';
import type { ImageNumber, Partition, Verdict } from '../src/partition/partition.ts';
import { type Selection, selectionOf } from '../src/partition/selection.ts';
import { SynchronousPartition } from '../src/partition/synchronous.ts';
import type { Picture } from '../src/pixels/picture.ts';
import type { TypeDefinition } from '../src/types/type-definition.ts';
import { cropped, mirrored, rotated, toned } from './pictures.ts';
import { snapshotContract } from './snapshot-suite.ts';

const NO_LIMIT = 1e6;

interface Candidate {
  readonly image: ImageNumber;
  /** 0 for an exact copy. */
  readonly votes: number;
  readonly exact: boolean;
}

/** What the limit of a shortlist goes by. */
const votesOf = (all: readonly Candidate[]): number[] =>
  all
    .filter(({ exact }) => !exact)
    .map(({ votes }) => votes)
    .sort((a, b) => b - a);

/**
 * The contract of `Partition`, whatever the type. Pictures are known by numbers with gaps and in no order;
 * some are edits of others, so that votes differ, and some are twins, so that votes tie.
 * @param pictures  six or more that show different things, of 300 pixels or more
 */
export function partitionContract(type: string, definition: TypeDefinition, pictures: readonly Picture[]): void {
  const check = (sentence: string, run: () => void): void => void test(`${type}: ${sentence}`, run);

  const edits = pictures.flatMap((picture) => [
    picture,
    cropped(picture, 30, 20, picture.width - 90, picture.height - 70),
    toned(picture, 0.8, 10),
    cropped(picture, 10, 40, picture.width - 40, picture.height - 60),
    toned(picture, 1.1, -10),
    cropped(picture, 20, 10, picture.width - 50, picture.height - 30),
  ]);
  const shown = [...edits, edits[1], edits[2], edits[2], edits[6]];
  const references = new Map<ImageNumber, Uint8Array>(
    shown.map((picture, i) => [(i * 7919) % 10007, definition.describe(picture, 'reference')]),
  );
  const numbers = [...references.keys()];
  const queries = [
    definition.describe(cropped(pictures[0], 10, 15, 220, 200), 'query'),
    definition.describe(rotated(pictures[1]), 'query'),
    definition.describe(mirrored(pictures[2]), 'query'),
    definition.describe(edits[6], 'query'), // held twice
  ];

  const filled = (images: Iterable<ImageNumber> = numbers): SynchronousPartition => {
    const partition = SynchronousPartition.of(definition);
    for (const image of images) partition.add(image, references.get(image)!);
    return partition;
  };
  const candidates = (
    partition: SynchronousPartition,
    query: Uint8Array,
    only: Selection | null = null,
    limit = NO_LIMIT,
  ): Candidate[] => {
    const { copies, images, votes } = partition.candidates(query, only, limit);
    const exact = Array.from(copies, (image) => ({ image, votes: 0, exact: true }));
    const others = Array.from(images, (image, i) => ({ image, votes: votes[i], exact: false }));
    return [...exact, ...others].sort((a, b) => a.image - b.image);
  };
  const verdicts = (partition: SynchronousPartition, query: Uint8Array, images = numbers): Verdict[] => [
    ...partition.verify(query, images, {}).verdicts,
  ];

  const whole = filled();
  const answers = queries.map((query) => ({ candidates: candidates(whole, query), verdicts: verdicts(whole, query) }));

  check('there is something to compare: candidates, ties and matches', () => {
    for (const answer of answers) {
      const votes = answer.candidates.filter(({ exact }) => !exact).map(({ votes }) => votes);
      assert.ok(votes.length > 4 && votes.every((v) => Number.isInteger(v) && v >= 0), votes.join());
      assert.ok(answer.verdicts.length > 0);
    }
    const ties = answers.filter(
      ({ candidates }) => new Set(candidates.map(({ votes }) => votes)).size < candidates.length,
    );
    assert.ok(ties.length > 0);
  });

  check('an empty partition finds nothing, and accepts the removal of what it never held', () => {
    const empty = SynchronousPartition.of(definition);
    empty.remove(5);
    assert.equal(empty.count, 0);
    assert.deepEqual(candidates(empty, queries[0]), []);
    assert.deepEqual(candidates(empty, queries[0], selectionOf([5])), []);
    assert.deepEqual(verdicts(empty, queries[0]), []);
  });

  check('it counts its pictures and its memory, and refuses a number twice', () => {
    const partition = SynchronousPartition.of(definition);
    const sizes = numbers.map((image) => {
      partition.add(image, references.get(image)!);
      return partition.bytes;
    });
    assert.equal(partition.count, numbers.length);
    assert.ok(sizes[0] > 0 && sizes.every((size, i) => i === 0 || size >= sizes[i - 1]));
    assert.throws(() => partition.add(numbers[3], references.get(numbers[4])!), RangeError);
    assert.equal(partition.count, numbers.length);
    assert.deepEqual(candidates(partition, queries[0]), answers[0].candidates);
  });

  check('the same picture is always listed, whatever the limit, and has score 0', () => {
    for (const image of numbers) {
      const query = definition.describe(shown[numbers.indexOf(image)], 'query');
      const same = numbers.filter((other) => Buffer.compare(references.get(other)!, references.get(image)!) === 0);
      const exact = (list: readonly Candidate[]): ImageNumber[] => list.filter((c) => c.exact).map((c) => c.image);
      const rising = same.toSorted((a, b) => a - b);
      assert.deepEqual(exact(candidates(whole, query, null, 1)), rising);
      assert.deepEqual(exact(candidates(whole, query, selectionOf([image]), 1)), [image]);
      assert.deepEqual(
        verdicts(whole, query, same).map(({ image, score }) => [image, score]),
        same.map((i) => [i, 0]),
      );
    }
  });

  check('a limit keeps those with most votes, all that tie with the last, and counts no exact copy', () => {
    queries.forEach((query, q) => {
      const all = answers[q].candidates;
      const votes = votesOf(all);
      for (let limit = 0; limit <= all.length + 1; limit++) {
        const least = limit === 0 ? Infinity : (votes[limit - 1] ?? 0);
        const expected = all.filter((each) => each.exact || each.votes >= least);
        assert.deepEqual(candidates(whole, query, null, limit), expected, `limit ${limit}`);
      }
    });
  });

  check(
    'finer votes are of one picture alone, in the order in which pictures are named, and 0 for one that is not held',
    () => {
      const part = filled(numbers.slice(0, 4));
      for (const query of queries) {
        const all = whole.votes(query, numbers);
        if (!all) return;
        assert.ok(all.every((votes) => Number.isInteger(votes)) && Math.max(...all) > 0, all.join(' '));
        const reversed = numbers.toReversed();
        assert.deepEqual([...whole.votes(query, reversed)!], [...all].toReversed());
        const expected = [...all.slice(0, 4), ...all.slice(4).map(() => 0)];
        assert.deepEqual([...part.votes(query, numbers)!], expected);
      }
    },
  );

  check('a filter inside the search gives what filtering all results gives', () => {
    const subset = fc.subarray(numbers.concat(1, 123456));
    fc.assert(
      fc.property(fc.nat(queries.length - 1), subset, fc.nat(8), (q, only, limit) => {
        const all = answers[q].candidates.filter(({ image }) => only.includes(image));
        const votes = votesOf(all);
        const least = limit === 0 ? Infinity : (votes[limit - 1] ?? 0);
        assert.deepEqual(candidates(whole, queries[q], selectionOf(only)), all);
        assert.deepEqual(
          candidates(whole, queries[q], selectionOf(only), limit),
          all.filter((each) => each.exact || each.votes >= least),
        );
      }),
      { numRuns: 40 },
    );
  });

  check('the order in which pictures were added makes no difference', () => {
    for (const order of [numbers.toReversed(), numbers.toSorted((a, b) => a - b)]) {
      const partition = filled(order);
      queries.forEach((query, q) => {
        assert.deepEqual(candidates(partition, query), answers[q].candidates);
        assert.deepEqual(verdicts(partition, query), answers[q].verdicts);
      });
    }
  });

  check('the parts of a partition together answer what the whole answers', () => {
    for (const count of [2, 3]) {
      const parts = Array.from({ length: count }, (_, k) => filled(numbers.filter((image) => image % count === k)));
      queries.forEach((query, q) => {
        const found = parts.flatMap((part) => candidates(part, query)).sort((a, b) => a.image - b.image);
        assert.deepEqual(found, answers[q].candidates);
        const judged = parts.flatMap((part) => verdicts(part, query));
        assert.deepEqual(judged.sort(byImage), answers[q].verdicts.toSorted(byImage));
      });
    }
  });

  check('a verdict depends on the query and its picture alone, and those not held have none', () => {
    queries.forEach((query, q) => {
      const single = numbers.flatMap((image) => verdicts(whole, query, [image]));
      assert.deepEqual(single, answers[q].verdicts);
      assert.deepEqual(verdicts(whole, query, [1, ...numbers.toReversed(), 123456]), answers[q].verdicts.toReversed());
      for (const { score, resultInfo } of single) {
        assert.ok(score >= 0 && score < 1, `score ${score}`);
        // the interface gives a structure for all types but that of colours
        if (definition.colors) assert.equal(resultInfo, null);
        else assert.match(resultInfo!.category, /^(LOCALMATCHING|SIMILARITY)$/);
      }
    });
  });

  check('queries in between change no answer', () => {
    queries.forEach((query, q) => {
      candidates(whole, query);
      verdicts(whole, queries[(q + 1) % queries.length]);
      assert.deepEqual(verdicts(whole, query), answers[q].verdicts);
      const changed = query.slice();
      assert.deepEqual(candidates(whole, changed), answers[q].candidates);
      changed.fill(0); // the caller's buffer is used again
      assert.deepEqual(verdicts(whole, query), answers[q].verdicts);
    });
  });

  check('pictures added or removed between two queries are seen, and the rest answers as before', () => {
    queries.forEach((query, q) => {
      const partition = filled();
      const before = answers[q].candidates.find(({ exact }) => !exact)!;
      assert.deepEqual(candidates(partition, query), answers[q].candidates);
      partition.add(999999, references.get(before.image)!);
      assert.deepEqual(verdicts(partition, query), answers[q].verdicts);
      assert.deepEqual(candidates(partition, query), [...answers[q].candidates, { ...before, image: 999999 }]);
      partition.remove(999999);
      assert.deepEqual(verdicts(partition, query), answers[q].verdicts);
      assert.deepEqual(candidates(partition, query), answers[q].candidates);
    });
  });

  check('a picture removed disappears at once, and the rest answers as if it had never been there', () => {
    const partition = filled();
    const removed = numbers.filter((_, i) => i % 3 === 1);
    const left = numbers.filter((image) => !removed.includes(image));
    candidates(partition, queries[0]); // searched before and after
    removed.forEach((image) => partition.remove(image));
    removed.forEach((image) => partition.remove(image));
    assert.equal(partition.count, left.length);
    const fresh = filled(left);
    const assertAlike = (): void => {
      for (const query of queries) {
        assert.deepEqual(candidates(partition, query), candidates(fresh, query));
        assert.deepEqual(verdicts(partition, query), verdicts(fresh, query));
      }
    };
    assertAlike();
    for (const both of [partition, fresh]) removed.forEach((_, i) => both.add(50000 + i, references.get(left[i])!));
    assertAlike();
  });

  check('hundreds are added and removed, and the others answer as before, in memory that is used again', () => {
    const partition = filled();
    const dna = [...references.values()];
    const sizes: number[] = [];
    let next = 20000;
    for (let round = 0; round < 4; round++) {
      const added = Array.from({ length: 300 }, () => next++);
      added.forEach((image, i) => partition.add(image, dna[(i + round) % dna.length]));
      sizes.push(partition.bytes);
      assert.equal(partition.count, numbers.length + 300);
      queries.forEach((query, q) => {
        // each is a copy of one that was there
        const promised = new Map(answers[q].candidates.map(({ image, ...rest }) => [image, rest]));
        const expected = added
          .map((image, i) => ({ image, ...promised.get(numbers[(i + round) % dna.length]) }))
          .filter((candidate) => candidate.votes !== undefined);
        assert.deepEqual(candidates(partition, query, selectionOf(added)), expected);
      });
      added.forEach((image) => partition.remove(image));
      queries.forEach((query, q) => {
        assert.deepEqual(candidates(partition, query), answers[q].candidates);
        assert.deepEqual(verdicts(partition, query), answers[q].verdicts);
      });
    }
    assert.ok(sizes[3] < 1.2 * sizes[0], `${sizes.join()} bytes`);
  });

  if (definition.exhaustive) {
    const ranked = (
      partition: SynchronousPartition,
      query: Uint8Array,
      only: Selection | null = null,
      cut = everyone,
    ) => {
      const { found, images, scores } = partition.rank(query, only, cut, {});
      const hits = Array.from(images, (image, i) => ({ image, score: scores[i] }));
      assert.deepEqual(
        hits.map(({ score }) => score),
        [...scores].sort((a, b) => a - b),
      );
      return { found, hits: hits.sort((a, b) => a.score - b.score || a.image - b.image) };
    };
    const everyone = { below: 1, most: NO_LIMIT };

    check('a ranking lists every picture that verifying finds, with the same score', () => {
      queries.forEach((query, q) => {
        const expected = answers[q].verdicts
          .map(({ image, score }) => ({ image, score }))
          .sort((a, b) => a.score - b.score || a.image - b.image);
        assert.deepEqual(ranked(whole, query), { found: expected.length, hits: expected });
      });
    });

    check('a ranking that is cut, or among some, counts all that match and lists the best with all ties', () => {
      const subset = fc.subarray(numbers.concat(1, 123456));
      const below = fc.constantFrom(1, 0.3, 0.15);
      fc.assert(
        fc.property(fc.nat(queries.length - 1), fc.option(subset), fc.nat(30), below, (q, only, most, below) => {
          const all = ranked(whole, queries[q]).hits.filter(
            ({ image, score }) => score < below && (!only || only.includes(image)),
          );
          const last = most > 0 ? (all[most - 1]?.score ?? 1) : -1;
          const hits = all.filter(({ score }) => score <= last);
          assert.deepEqual(ranked(whole, queries[q], only && selectionOf(only), { below, most }), {
            found: all.length,
            hits,
          });
        }),
        { numRuns: 60 },
      );
    });

    check('pictures added and removed change nothing else in a ranking', () => {
      const partition = filled();
      const removed = numbers.filter((_, i) => i % 3 === 0);
      removed.forEach((image) => partition.remove(image));
      partition.add(777777, references.get(removed[1])!);
      const left = filled([...numbers.filter((image) => !removed.includes(image))]);
      left.add(777777, references.get(removed[1])!);
      for (const query of queries) assert.deepEqual(ranked(partition, query), ranked(left, query));
    });
  }

  const assertAlike = (partition: Partition, expected: SynchronousPartition): void => {
    const held = new SynchronousPartition(partition);
    assert.equal(held.count, expected.count);
    for (const query of queries) {
      assert.deepEqual(candidates(held, query), candidates(expected, query));
      assert.deepEqual(verdicts(held, query), verdicts(expected, query));
    }
  };

  snapshotContract(check, definition, { references, filled, assertAlike });

  check('what is not a DNA of the type is refused', () => {
    // every byte of a short DNA, some of a long one
    const step = Math.ceil(queries[0].length / 150);
    const places = [...queries[0].keys()].filter((i) => i % step === 0 || i === 40);
    const damaged = places.map((place) => queries[0].map((byte, i) => (i === place ? byte ^ 1 : byte)));
    for (const block of [new Uint8Array(0), new Uint8Array(100), ...damaged]) {
      for (const side of ['reference', 'query'] as const)
        assert.throws(() => definition.checkDna(block, side), DnaError);
      assert.throws(() => whole.candidates(block, null, 10, {}), DnaError);
    }
    for (const block of references.values()) definition.checkDna(block, 'reference');
    for (const query of queries) definition.checkDna(query, 'query');
  });
}

function byImage(a: Verdict, b: Verdict): number {
  return a.image - b.image;
}
