import type { Color } from '../dna/palette.ts';
import type { ReferenceQuality } from '../local/reference-quality.ts';
import type { Partition } from '../partition/partition.ts';
import type { ReferenceRecords } from '../partition/records.ts';
import type { TermRule } from '../partition/terms.ts';
import type { Picture } from '../pixels/picture.ts';

/** A picture is described as something to be found (`reference`) or to search with (`query`), which may be richer. */
export type Side = 'reference' | 'query';

/** How one application type describes, indexes and verifies. One file a type, and a row of the table in `types.ts`. */
export interface TypeDefinition {
  readonly traits: Traits;

  /** Longest side in pixels that `describe` uses; a decoder may reduce pictures to it, not below. */
  readonly workingSize: number;

  /** Whether `describe` reads the transparency of pictures. */
  readonly transparency?: boolean;

  /** Whether every picture is compared in full: its partitions have `rank`, which replaces the two phases. */
  readonly exhaustive?: boolean;

  /** For types with colours, whose partitions have `fill` and `holders`. */
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

  /** The quality of a reference for matching; absent for types that cannot tell. */
  referenceQuality?(dna: Uint8Array): ReferenceQuality;

  /** How the shortlist is made; absent for types that are `exhaustive` or have no references. */
  readonly terms?: TermRule;

  /** @param records  for types that keep some; in memory unless given. A partition has its own. */
  createPartition(records?: ReferenceRecords): Partition;
}

/** Settings of an application for all its pictures. */
export interface DescribeOptions {
  /** Colours are those of the foreground where the background is plain; only the types with colours read it. */
  readonly ignoreBackground?: boolean;
}

/** The colours of a picture in its DNA. */
export interface ColorCode {
  /** The dominant colours, the largest share first. */
  of(dna: Uint8Array): Color[];
  /** The DNA of a query for these colours, in these shares of the picture. */
  asQuery(colors: readonly Color[]): Uint8Array;
}

/** What the interface offers for applications of a type. */
export interface Traits {
  /** The name for people. */
  readonly title: string;
  /** Whether reference pictures are added and searched at all (a filter classifies without references). */
  readonly references: boolean;
  /** Whether a stored picture's DNA may serve as a query; where it may not, the DNA is called asymmetric. */
  readonly symmetric: boolean;
  /** Whether `color_weight` has an effect. */
  readonly colorWeight: boolean;
  /** Whether the colour operations apply (SearchImageByColors, GetImageColors…, GetPalette). */
  readonly colors: boolean;
  readonly fineComparison: boolean;
  readonly profiles: boolean;
}

/** The traits of most types. */
export const usualTraits = {
  references: true,
  symmetric: true,
  colorWeight: false,
  colors: false,
  fineComparison: false,
  profiles: false,
};
