import type { ApplicationType, Color, Explanation, Grade, Prevalent, ResultInfo, Side, Traits } from '@sosia/engine';
import type { MarkedComparison } from '../decode/decoder.ts';
import type { ApplicationDefaults, ImageStore } from '../store/store.ts';

/** A reference picture as answers show it. */
export interface Match {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly score: number;
  /** How the picture matches; null outside searches, and for application types without a structure. */
  readonly resultInfo: ResultInfo | null;
}

/** Restricts a search; checked values. */
export interface Restriction {
  /** Pictures lacking one of these are left out. */
  readonly keywords: readonly string[];
  /** null: no restriction. Ids that are not there restrict all the same. */
  readonly ids: readonly string[] | null;
}

/** What people want to know of an application at a glance. */
export interface Overview {
  readonly number: number;
  readonly name: string;
  readonly type: ApplicationType;
  readonly enabled: boolean;
  readonly count: number;
  /** Pictures that are damaged and set aside. */
  readonly damaged: number;
  /** Memory of the index, in bytes. */
  readonly indexBytes: number;
}

/** The part of a list that is wanted. */
export interface Page {
  readonly start: number;
  readonly count: number;
}

export interface Matches {
  /** The length of the whole list. */
  readonly found: number;
  /** The page. */
  readonly images: readonly Match[];
  /** Whether the search ended before all promising pictures were compared. */
  readonly truncated?: boolean;
}

/** One application, as the operations see it. Everything a foreign application could leak through is behind it. */
export interface Application {
  readonly type: ApplicationType;
  readonly name: string;
  readonly traits: Traits;
  readonly defaults: ApplicationDefaults;
  /** Number of reference pictures. */
  readonly count: number;
  /** Number of pictures that are damaged and set aside: they are in no answer. */
  readonly damaged: number;
  /** Whether reference pictures can be added; what GetApplicationStatus tells. */
  readonly state: ImageStore['state'];

  /** What people want to know of it at a glance. */
  overview(): Promise<Overview>;

  /** Fails with OVERLOADED where one picture more would be refused now, for those whose bytes are still to come. */
  expectPicture(): void;
  /** Picture file to DNA. */
  describe(content: Uint8Array, side: Side): Promise<Uint8Array>;
  /** Whether a picture has this id. */
  has(id: string): boolean;
  /** Picture file to what is kept of it. */
  take(content: Uint8Array): Promise<{ readonly dna: Uint8Array; readonly thumbnail?: Uint8Array }>;
  /**
   * How well a reference DNA can be matched; undefined where the type cannot tell.
   * @param compared  whether a picture that is there and nearly the same counts, which takes a search
   */
  grade(dna: Uint8Array, compared: boolean): Promise<Grade | undefined>;
  /** DNA from outside: checked, returned. Fails with BAD_DNA. */
  receive(dna: Uint8Array, side: Side): Uint8Array;

  /** How well a picture file fits each profile: positive where it does. Fails with NO_PROFILES. */
  classify(content: Uint8Array): Promise<Record<string, number>>;

  /** Where two picture files differ. Fails with NOT_ALIGNED. */
  compare(reference: Uint8Array, query: Uint8Array): Promise<MarkedComparison>;

  /** Durable and searchable once resolved. Fails with IMAGE_EXISTS. */
  add(id: string, keywords: readonly string[], dna: Uint8Array, thumbnail?: Uint8Array): Promise<void>;
  /** Durable and gone once resolved; so is one that is set aside, if its id can be read. Fails with IMAGE_NOT_FOUND. */
  delete(id: string): Promise<void>;
  /** Fails with UNKNOWN_IMAGE. */
  image(id: string): Match;
  /** A small JPEG; undefined where none is kept. Fails with UNKNOWN_IMAGE. */
  thumbnailOf(id: string): Promise<Uint8Array | undefined>;
  /** Fails with UNKNOWN_IMAGE. */
  dnaOf(id: string): Promise<Uint8Array>;

  /**
   * One page of all matches below the application's retrieval threshold, best first, ties by image_id bytes.
   * `colorWeight` is in [0, 1]; absent, the application's default counts.
   */
  search(dna: Uint8Array, restriction: Restriction, page: Page, options: { colorWeight?: number }): Promise<Matches>;
  /** What stands behind a comparison with one picture; undefined where the type has nothing to show, or it is not there. */
  explain(dna: Uint8Array, id: string): Promise<Explanation | undefined>;
  /** The dominant colours that a DNA holds, the largest share first; only where the traits have colours. */
  colorsOf(dna: Uint8Array): Color[];
  /** As `search`, for pictures with these colours in these shares. */
  searchColors(colors: readonly Color[], restriction: Restriction, page: Page): Promise<Matches>;
  /** The colours of the pictures that the restriction leaves and that contain all of `colors`, 0xrrggbb; those of most pictures first. */
  palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]>;
  /** A page of the pictures that the restriction leaves, score 0, by image_id bytes; of those behind `after` if it is given. */
  list(restriction: Restriction, page: Page, after?: string): Matches;
}
