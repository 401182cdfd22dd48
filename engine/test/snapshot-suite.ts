import assert from 'node:assert/strict';
import { type Section, SnapshotError } from '../src/memory/section.ts';
import type { ImageNumber, Partition } from '../src/partition/partition.ts';
import { RecordsInMemory } from '../src/partition/records-in-memory.ts';
import type { SynchronousPartition } from '../src/partition/synchronous.ts';
import { finished } from '../src/steps.ts';
import type { TypeDefinition } from '../src/types/type-definition.ts';

/** The pictures that partitions are filled with. */
interface Fixture {
  readonly references: ReadonlyMap<ImageNumber, Uint8Array>;
  /** A partition of these references, added one after the other. */
  readonly filled: (images: Iterable<ImageNumber>) => SynchronousPartition;
  /** Both give the same answers to the queries. */
  readonly assertAlike: (partition: Partition, expected: SynchronousPartition) => void;
}

/** The contract of `Restorable`, whatever the type. */
export function snapshotContract(
  check: (sentence: string, run: () => void) => void,
  definition: TypeDefinition,
  { references, filled, assertAlike }: Fixture,
): void {
  const numbers = [...references.keys()];

  check('a snapshot made beside other work gives the same partition, then and after further changes', () => {
    for (const start of [numbers.slice(0, 8), []]) {
      const records = new LastingRecords();
      const source = definition.createPartition(records);
      const [early, late] = [start, numbers.slice(8, 14)];
      const add = (partition: Partition, images: readonly ImageNumber[]): void =>
        images.forEach((image) => partition.add(image, references.get(image)!));
      add(source, early);
      for (const image of early.slice(0, 2)) finished(source.remove(image));
      const changes = [...late];
      const sections: Section[] = [];
      for (const piece of source.snapshot!()) {
        if (!piece) continue;
        sections.push({ name: piece.name, bytes: piece.bytes.slice() });
        const image = changes.pop();
        if (image !== undefined) add(source, [image]);
        if (changes.length === 2) for (const image of early.slice(2, 4)) finished(source.remove(image));
      }
      add(source, changes);
      const restored = definition.createPartition(records);
      finished(restored.restore!(cut(sections, 1000)));
      assertAlike(restored, filled(early.slice(2)));
      add(restored, late);
      for (const image of early.slice(2, 4)) finished(restored.remove(image));
      assertAlike(restored, filled([...late, ...early.slice(4)]));
      assertAlike(source, filled([...late, ...early.slice(4)]));
      const again = definition.createPartition(records);
      finished(again.restore!([...restored.snapshot!()].flatMap((piece) => piece ?? [])));
      assertAlike(again, filled([...late, ...early.slice(4)]));
    }
  });

  check('sections of another shape are refused, whichever is cut, missing or too long', () => {
    const records = new LastingRecords();
    const source = definition.createPartition(records);
    for (const image of numbers) source.add(image, references.get(image)!);
    const sections = [...source.snapshot!()].flatMap((piece) =>
      piece ? [{ ...piece, bytes: piece.bytes.slice() }] : [],
    );
    const refused = (changed: readonly Section[]): void => {
      assert.throws(() => finished(definition.createPartition(records).restore!(changed)), SnapshotError);
    };
    sections.forEach(({ name, bytes }, i) => {
      refused(sections.toSpliced(i, 1));
      if (bytes.length > 0) refused(sections.toSpliced(i, 1, { name, bytes: bytes.subarray(1) }));
      const longer = new Uint8Array(bytes.length + 1);
      longer.set(bytes);
      refused(sections.toSpliced(i, 1, { name, bytes: longer }));
    });
    refused(
      sections.map(({ name, bytes }) => ({ name, bytes: name === 'images' ? bytes.map((_, i) => i & 3) : bytes })),
    );
    assert.throws(() => finished(source.restore!(sections)), SnapshotError);
    const open = source.snapshot!();
    while (!open.next().value);
    assert.throws(() => source.snapshot!().next(), SnapshotError);
    open.return();
    source.snapshot!().next();
  });
}

/** As a file that keeps all, whatever is removed. */
class LastingRecords extends RecordsInMemory {
  override remove(): void {}
}

/** The same sections in pieces of so many bytes. */
function cut(sections: readonly Section[], length: number): Section[] {
  return sections.flatMap(({ name, bytes }) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / length)) }, (_, i) => {
      return { name, bytes: bytes.subarray(i * length, (i + 1) * length) };
    }),
  );
}
