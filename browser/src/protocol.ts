import type { ResultInfo } from '@sosia/engine/partition/result-info';

/** The application types that have references, by their names in the service. */
export type MatchingType =
  | 'image-similarity'
  | 'color-similarity'
  | 'mobile-matching'
  | 'media-matching'
  | 'brand-monitoring';

/** A picture is described as something to be found (`reference`) or to search with (`query`), which may be richer. */
export type Side = 'reference' | 'query';

/** How two pictures match. The names and values are those of a result of the service. */
export interface PairMatch {
  /** In [0, 1); 0 is the same picture. */
  readonly score: number;
  /** What the pictures have in common, in per cent with one decimal. */
  readonly similarity: number;
  /** Where and how they match; null for types without a structure. */
  readonly resultInfo: ResultInfo | null;
}

/** Why a picture or a DNA was refused. */
export type Fault = 'not a picture' | 'not enough information' | 'not a DNA' | 'no engine';

/** Work for the worker. @typeParam Type  the types that it knows */
export type Task<Type extends string = MatchingType> =
  | { readonly work: 'describe'; readonly type: Type; readonly picture: Blob; readonly side: Side }
  | { readonly work: 'match'; readonly type: Type; readonly query: Content; readonly reference: Content };

/** A picture file, or its DNA. */
export type Content = Blob | Uint8Array;

/** What the worker answers to a task of this number. */
export type Answer = { readonly number: number } & (
  | { readonly result: Uint8Array | PairMatch | null }
  | { readonly fault: Fault; readonly message: string }
  | { readonly message: string }
);
