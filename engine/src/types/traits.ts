/** What an application of one type can be asked for. A table, because the interface's answers depend on nothing else. */
export interface Traits {
  /** The name people read. */
  readonly title: string;
  /** Whether reference pictures are added and searched at all (a filter classifies without references). */
  readonly references: boolean;
  /** Whether a stored picture's DNA may serve as a query; where it may not, the DNA is called asymmetric. */
  readonly symmetric: boolean;
  /** Whether `color_weight` means something. */
  readonly colorWeight: boolean;
  /** Whether the colour operations apply (SearchImageByColors, GetImageColors…, GetPalette). */
  readonly colors: boolean;
  readonly fineComparison: boolean;
  readonly profiles: boolean;
}

const none = {
  references: true,
  symmetric: true,
  colorWeight: false,
  colors: false,
  fineComparison: false,
  profiles: false,
};

export const traits = {
  'image-similarity': { ...none, title: 'Image Similarity', colorWeight: true },
  'color-similarity': { ...none, title: 'Color similarity', colors: true },
  'mobile-matching': { ...none, title: 'Mobile Matching', symmetric: false },
  'media-matching': { ...none, title: 'Media Matching', fineComparison: true },
  'brand-monitoring': { ...none, title: 'Brand monitoring' },
  filter: { ...none, title: 'Filter', references: false, profiles: true },
} satisfies Record<string, Traits>;

export type ApplicationType = keyof typeof traits;

export const applicationTypes = Object.keys(traits) as ApplicationType[];
