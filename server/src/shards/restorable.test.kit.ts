import {
  SnapshotError,
  type ImageNumber,
  type Partition,
  type Restorable,
  type Section,
  type Steps,
} from '@sosia/engine';

/** A partition whose snapshot is the DNA of its pictures, a section for each. */
export function restorable(partition: Partition): Partition & Restorable {
  const dnas = new Map<ImageNumber, Uint8Array>();
  const own = {
    add(image: ImageNumber, dna: Uint8Array): void {
      partition.add(image, dna);
      dnas.set(image, dna);
    },
    *remove(image: ImageNumber): Steps<void> {
      dnas.delete(image);
      yield* partition.remove(image);
    },
    *snapshot(): Generator<Section | undefined, void, undefined> {
      const state = [...dnas];
      yield undefined;
      for (const [image, dna] of state) {
        yield { name: 'image', bytes: new Uint8Array(new Uint32Array([image]).buffer) };
        yield { name: 'dna', bytes: dna };
        yield undefined;
      }
    },
    *restore(sections: Iterable<Section>): Steps<void> {
      let image: number | undefined;
      for (const { name, bytes } of sections) {
        if (name === 'image') image = new Uint32Array(bytes.slice().buffer)[0]!;
        else if (name === 'dna' && image !== undefined) own.add(image, bytes.slice());
        else throw new SnapshotError(`unknown section ${name}`);
        yield;
      }
    },
  };
  return new Proxy(partition, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const value = target[name as keyof Partition] as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  }) as Partition & Restorable;
}
