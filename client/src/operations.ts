// Made by `npm run docs` from the tables and schemas of the interface.

import type { Box } from './result-info.ts';

/** A feature of either picture that agrees with the other about where the reference lies. */
export interface Correspondence {
  /** x and y as fractions of width and height */
  readonly query: readonly [number, number];
  /** x and y as fractions of width and height */
  readonly reference: readonly [number, number];
  /** how much the features differ, in bits of 64 */
  readonly distance: number;
}

/** What a match, or the lack of one, is based on. */
export interface Explanation {
  /** empty for a match, else what was missing */
  readonly reason: string;
  /** number of similar features, wherever they lie */
  readonly alike: number;
  /** the similar features that agree on a place */
  readonly correspondences: readonly Correspondence[];
}

/** A reference picture as an answer has it. */
export interface WireImage {
  /** as given */
  readonly keywords: readonly string[];
  /** 0 for the same picture, rising towards 1; 0 where nothing was compared */
  readonly score: number;
  /** the image_id */
  readonly id: string;
  /** JSON as text: an object as the type of the application has it; empty where there is nothing to report */
  readonly result_info: string;
}

/** Every operation of the interface by its port, with its parameters under their names on the wire. docs/api.md says what they mean. */
export interface Operations {
  readonly modify: {
    readonly AddImage: {
      readonly image_id: string;
      readonly image_content?: Uint8Array | undefined;
      readonly dna?: Uint8Array | undefined;
      readonly keywords?: readonly string[] | undefined;
      readonly compare?: number | undefined;
    };
    readonly DeleteImage: {
      readonly image_id: string;
    };
    readonly GetApplicationStatus: {};
    readonly GetImageById: {
      readonly image_id: string;
    };
    readonly ListImages: {
      readonly keywords?: readonly string[] | undefined;
      readonly after?: string | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly GetDnaById: {
      readonly image_id: string;
    };
  };
  readonly query: {
    readonly GetImageById: {
      readonly image_id: string;
    };
    readonly ListImages: {
      readonly keywords?: readonly string[] | undefined;
      readonly after?: string | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly SearchImageByUpload: {
      readonly image_content: Uint8Array;
      readonly explain?: number | undefined;
      readonly keywords?: readonly string[] | undefined;
      readonly color_weight?: number | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly SearchImageByDna: {
      readonly dna: Uint8Array;
      readonly explain?: number | undefined;
      readonly keywords?: readonly string[] | undefined;
      readonly color_weight?: number | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly SearchImageById: {
      readonly image_id: string;
      readonly explain?: number | undefined;
      readonly keywords?: readonly string[] | undefined;
      readonly color_weight?: number | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly SearchImageByKeywords: {
      readonly keywords: readonly string[];
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly SearchImageByColors: {
      readonly colors: readonly string[];
      readonly keywords?: readonly string[] | undefined;
      readonly starting_index?: number | undefined;
      readonly nb_results?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly GetImageColorsById: {
      readonly image_id: string;
    };
    readonly GetImageColorsByUpload: {
      readonly image_content: Uint8Array;
    };
    readonly GetPalette: {
      readonly colors?: readonly string[] | undefined;
      readonly keywords?: readonly string[] | undefined;
      readonly nb_colors?: number | undefined;
      readonly ids_list?: string | undefined;
    };
    readonly FineComparison: {
      readonly reference_image: Uint8Array;
      readonly query_image: Uint8Array;
    };
    readonly Filter: {
      readonly query_image: Uint8Array;
    };
    readonly GetApplicationStatus: {};
  };
}

/** The fields beside the status in the answer of every operation. */
export interface Answers {
  readonly modify: {
    readonly AddImage: {
      /** always 0 */
      readonly task_id: 0;
      /** how well the picture can be matched, for the application types that grade */
      readonly grade?: number;
      /** what is missing for a better grade */
      readonly reasons?: readonly string[];
    };
    readonly DeleteImage: {
      /** always 0 */
      readonly task_id: 0;
    };
    readonly GetApplicationStatus: {
      /** `available`, or `read-only` while the disk is full, after a write that failed, and where damage makes changes unsafe */
      readonly application_db_status: 'available' | 'read-only' | 'closed';
      /** `available`, or `read-only` while the disk is full, after a write that failed, and where damage makes changes unsafe */
      readonly main_db_status: 'available' | 'read-only' | 'closed';
      /** pictures of the application that are damaged and set aside; absent where there are none */
      readonly nb_damaged_images?: number;
    };
    readonly GetImageById: {
      /** the picture; `null` on failure */
      readonly image: WireImage;
    };
    readonly ListImages: {
      /** number of pictures that come after `after` */
      readonly nb_results_found: number;
      /** one page of them, best first */
      readonly images: readonly WireImage[];
    };
    readonly GetDnaById: {
      /** the DNA as base64 text; `null` on failure */
      readonly dna: {
        /** the DNA */
        readonly dna: string;
        /** the image_id */
        readonly id: string;
      };
    };
  };
  readonly query: {
    readonly GetImageById: {
      /** the picture; `null` on failure */
      readonly image: WireImage;
    };
    readonly ListImages: {
      /** number of pictures that come after `after` */
      readonly nb_results_found: number;
      /** one page of them, best first */
      readonly images: readonly WireImage[];
    };
    readonly SearchImageByUpload: {
      /** number of matches, on this page or not */
      readonly nb_results_found: number;
      /** only where the search needed too much work and ended early; `nb_results_found` then counts the matches up to there. No query made from a picture needs as much */
      readonly truncated?: true;
      /** one page of them, best first */
      readonly images: readonly {
        /** as given */
        readonly keywords: readonly string[];
        /** 0 for the same picture, rising towards 1; 0 where nothing was compared */
        readonly score: number;
        /** the image_id */
        readonly id: string;
        /** JSON as text: an object as the type of the application has it; empty where there is nothing to report */
        readonly result_info: string;
        /** with `explain` set to 1, see scores.md */
        readonly explanation?: Explanation;
      }[];
      /** with `explain` set to 1, where `ids_list` names one picture and the search does not find it */
      readonly why_not?: {
        /** the image_id */
        readonly id: string;
        /** empty for a match, else what was missing */
        readonly reason: string;
        /** number of similar features, wherever they lie */
        readonly alike: number;
        /** the similar features that agree on a place */
        readonly correspondences: readonly Correspondence[];
      };
    };
    readonly SearchImageByDna: {
      /** number of matches, on this page or not */
      readonly nb_results_found: number;
      /** only where the search needed too much work and ended early; `nb_results_found` then counts the matches up to there. No query made from a picture needs as much */
      readonly truncated?: true;
      /** one page of them, best first */
      readonly images: readonly {
        /** as given */
        readonly keywords: readonly string[];
        /** 0 for the same picture, rising towards 1; 0 where nothing was compared */
        readonly score: number;
        /** the image_id */
        readonly id: string;
        /** JSON as text: an object as the type of the application has it; empty where there is nothing to report */
        readonly result_info: string;
        /** with `explain` set to 1, see scores.md */
        readonly explanation?: Explanation;
      }[];
      /** with `explain` set to 1, where `ids_list` names one picture and the search does not find it */
      readonly why_not?: {
        /** the image_id */
        readonly id: string;
        /** empty for a match, else what was missing */
        readonly reason: string;
        /** number of similar features, wherever they lie */
        readonly alike: number;
        /** the similar features that agree on a place */
        readonly correspondences: readonly Correspondence[];
      };
    };
    readonly SearchImageById: {
      /** number of matches, on this page or not */
      readonly nb_results_found: number;
      /** only where the search needed too much work and ended early; `nb_results_found` then counts the matches up to there. No query made from a picture needs as much */
      readonly truncated?: true;
      /** one page of them, best first */
      readonly images: readonly {
        /** as given */
        readonly keywords: readonly string[];
        /** 0 for the same picture, rising towards 1; 0 where nothing was compared */
        readonly score: number;
        /** the image_id */
        readonly id: string;
        /** JSON as text: an object as the type of the application has it; empty where there is nothing to report */
        readonly result_info: string;
        /** with `explain` set to 1, see scores.md */
        readonly explanation?: Explanation;
      }[];
      /** with `explain` set to 1, where `ids_list` names one picture and the search does not find it */
      readonly why_not?: {
        /** the image_id */
        readonly id: string;
        /** empty for a match, else what was missing */
        readonly reason: string;
        /** number of similar features, wherever they lie */
        readonly alike: number;
        /** the similar features that agree on a place */
        readonly correspondences: readonly Correspondence[];
      };
    };
    readonly SearchImageByKeywords: {
      /** number of matches, on this page or not */
      readonly nb_results_found: number;
      /** one page of them, best first */
      readonly images: readonly WireImage[];
    };
    readonly SearchImageByColors: {
      /** number of matches, on this page or not */
      readonly nb_results_found: number;
      /** one page of them, best first */
      readonly images: readonly WireImage[];
    };
    readonly GetImageColorsById: {
      /** `rrggbb@percentage`, the largest share first */
      readonly colors: readonly string[];
    };
    readonly GetImageColorsByUpload: {
      /** `rrggbb@percentage`, the largest share first */
      readonly colors: readonly string[];
    };
    readonly GetPalette: {
      /** `rrggbb`, the most frequent first */
      readonly colors: readonly string[];
      /** how many pictures have each, beside `colors` */
      readonly image_count: readonly number[];
    };
    readonly FineComparison: {
      /** 0 for the same picture and higher, the more of the picture differs and the more strongly */
      readonly score: number;
      /** the reference picture in its own size (long side at most 2,048 pixels), differences tinted and outlined in orange and blue, hatched what the other picture does not show; JPEG as base64 */
      readonly ref_image: string;
      /** the query picture in its own size (long side at most 2,048 pixels), differences tinted and outlined in orange and blue, hatched what the other picture does not show; JPEG as base64 */
      readonly query_image: string;
      /** each difference, the largest first */
      readonly regions: readonly {
        /** box in the reference picture */
        readonly reference: Box;
        /** box in the query picture */
        readonly query: Box;
        /** how strongly the region differs */
        readonly strength: number;
      }[];
      /** nine numbers, row by row: the map from pixels of ref_image to pixels of query_image; an addition to the interface */
      readonly homography: readonly number[];
    };
    readonly Filter: {
      /** by name of profile: positive where it fits the picture, about 1 for a clear case, negative where it does not */
      readonly scores: Readonly<Record<string, number>>;
    };
    readonly GetApplicationStatus: {
      /** number of reference pictures */
      readonly nb_loaded_images: number;
    };
  };
}
