import type { Color } from '../dna/palette.ts';
import type { Grade } from '../local/grade.ts';
import type { Partition } from '../partition/partition.ts';
import type { Picture } from '../pixels/picture.ts';
import type { ApplicationType } from './traits.ts';

/** A picture is described as something to be found (`reference`) or as a question (`query`); the question may be richer. */
export type Side = 'reference' | 'query';

/** How one application type describes, indexes and verifies. One file a type; the table is `recipes`. */
export interface Recipe {
  readonly type: ApplicationType;

  /** Largest long side in pixels that `describe` makes use of; a decoder may reduce to this, never below it. */
  readonly workingSize: number;

  /** Whether every picture is compared in full: its partitions bring `rank`, which takes the place of the two phases. */
  readonly exhaustive?: boolean;

  /** Where the type has colours: how to read them from a DNA and how to ask for them. Its partitions bring `fill` and `holders`. */
  readonly colors?: ColorCode;

  /**
   * Pixels to DNA. The same pixels give the same bytes on every machine.
   * @throws PlainPictureError when the picture holds too little to be described (flat, tiny)
   */
  describe(picture: Picture, side: Side, options?: DescribeOptions): Uint8Array;

  /**
   * Checks bytes that come from outside. A reference DNA is accepted as a query where the type is symmetric.
   * @throws DnaError when the bytes are not a canonical DNA of this type, version and side
   */
  checkDna(dna: Uint8Array, side: Side): void;

  /** How well a reference can be matched; left out by recipes that cannot tell. */
  grade?(dna: Uint8Array): Grade;

  createPartition(): Partition;
}

/** What an application may want of all its pictures. */
export interface DescribeOptions {
  /** Colours are those of what stands before a plain background; only the types with colours read it. */
  readonly ignoreBackground?: boolean;
}

/** How the colours of a picture stand in its DNA. */
export interface ColorCode {
  /** The dominant colours, the largest share first. */
  of(dna: Uint8Array): Color[];
  /** A query DNA that asks for these colours, in these shares of the picture. */
  asQuery(colors: readonly Color[]): Uint8Array;
}
