import Type, { type Static } from '#typebox';
import { boxMatch } from './box-match.ts';
import { quadMatch } from './quad-match.ts';
import { similarity } from './similarity.ts';

/** The structure of result_info by application type; null where the type has none. */
export const resultInfos = {
  'media-matching': boxMatch,
  'mobile-matching': quadMatch,
  'brand-monitoring': quadMatch,
  'image-similarity': similarity,
  'color-similarity': null,
  filter: null,
} as const;

/** Any of the structures. */
export const resultInfo = Type.Union([boxMatch, quadMatch, similarity]);
export type ResultInfo = Static<typeof resultInfo>;
