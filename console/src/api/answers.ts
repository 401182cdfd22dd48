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

export type ApplicationType =
  'image-similarity' | 'color-similarity' | 'mobile-matching' | 'media-matching' | 'brand-monitoring' | 'filter';

export interface Traits {
  readonly title: string;
  readonly references: boolean;
  readonly symmetric: boolean;
  readonly colorWeight: boolean;
  readonly colors: boolean;
  readonly fineComparison: boolean;
  readonly profiles: boolean;
}

export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly score: number;
  readonly result_info: string;
  readonly explanation?: Explanation;
}

export interface Found {
  readonly nb_results_found: number;
  readonly images: readonly Image[];
}

export interface Explanation {
  readonly reason: string;
  readonly alike: number;
  readonly correspondences: readonly Correspondence[];
}

export interface Correspondence {
  readonly query: Point;
  readonly reference: Point;
  readonly distance: number;
}

/** Fractions of width and height. */
export type Point = readonly [x: number, y: number];

export interface Compared {
  readonly score: number;
  readonly ref_image: string;
  readonly query_image: string;
  readonly homography: readonly number[];
  readonly regions: readonly Region[];
}

export interface Region {
  readonly reference: Box;
  readonly query: Box;
  readonly strength: number;
}

export interface Box {
  readonly topLeftPoint: Point;
  readonly bottomRightPoint: Point;
}

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
