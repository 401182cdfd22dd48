import type { Answers } from '@sosia/contract';
import type { ApplicationType, Traits } from '@sosia/engine';

export interface Envelope {
  readonly status: { readonly code: number; readonly message: string };
}

export interface SessionInfo {
  readonly csrf: string;
  readonly application: {
    readonly name: string;
    readonly type: ApplicationType;
    readonly traits: Traits;
    readonly nb_results: number;
    readonly color_weight: number;
  };
  readonly ports: { readonly modify: number; readonly query: number };
  readonly version: string;
}

type Query = Answers['enginequery'];

/** A search with a picture; other searches have the same answer without explanations. */
export type Found = Query['SearchImageByUpload'];
export type Image = Found['images'][number];
export type Explanation = NonNullable<Image['explanation']>;
export type Correspondence = Explanation['correspondences'][number];
/** Fractions of width and height. */
export type Point = Correspondence['query'];
export type Compared = Query['FineComparison'];
export type Region = Compared['regions'][number];

export interface Status {
  readonly version: string;
  readonly count: number;
  readonly index_bytes: number;
  readonly state: string;
  readonly failures: readonly {
    readonly at: string;
    readonly operation: string;
    readonly code: number;
    readonly message: string;
  }[];
}
