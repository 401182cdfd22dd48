// Made from the table of operations by `npm run docs`.

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
